import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join, resolve } from 'node:path';

/** A socket's address has 108 bytes on Linux and 104 elsewhere, the closing zero included: unix(7). */
const ADDRESS_BYTES_MAX = 100;

/**
 * Where a running server listens for commands on its data folder: in the folder, or, where that
 * path is too long for a socket, in a folder of this user's own among the temporary files, at a
 * name that every command finds from the data folder's. Throws when somebody else owns that one.
 */
export function controlSocketPath(dataFolder: string): string {
  const inside = join(resolve(dataFolder), 'control.sock');
  if (Buffer.byteLength(inside) <= ADDRESS_BYTES_MAX) return inside;
  const folder = join(tmpdir(), `turnpike-${userInfo().uid}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const state = lstatSync(folder);
  if (!state.isDirectory() || (state.mode & 0o077) !== 0 || (state.uid !== userInfo().uid && userInfo().uid !== -1))
    throw new Error(`${folder} must be a folder that only this user may enter; remove it and start again.`);
  return join(folder, `${createHash('sha256').update(inside).digest('hex').slice(0, 16)}.sock`);
}
