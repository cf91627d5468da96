import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join, resolve } from 'node:path';

/** A socket path is limited to 108 bytes on Linux and 104 elsewhere, including the final zero byte: unix(7). */
const ADDRESS_BYTES_MAX = 100;

/**
 * The path of the socket on which a running server listens for commands: in the data folder, or, if that
 * path is too long for a socket, in a private folder of this user among the temporary files, under a
 * name derived from the data folder's path. Throws if that folder is not private to this user.
 */
export function controlSocketPath(dataFolder: string): string {
  const inside = join(resolve(dataFolder), 'control.sock');
  if (Buffer.byteLength(inside) <= ADDRESS_BYTES_MAX) return inside;
  const folder = join(tmpdir(), `turnpike-${userInfo().uid}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const state = lstatSync(folder);
  if (!state.isDirectory() || (state.mode & 0o077) !== 0 || (state.uid !== userInfo().uid && userInfo().uid !== -1))
    throw new Error(`${folder} must be a folder that only this user can access; remove it and restart.`);
  return join(folder, `${createHash('sha256').update(inside).digest('hex').slice(0, 16)}.sock`);
}
