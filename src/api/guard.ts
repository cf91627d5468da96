/**
 * Who may reach the control plane: whoever may open the socket file, which is its owner alone (mode
 * 0600, in a folder of mode 0700). There is no other check, so a request that comes over a network
 * is refused whatever it carries.
 */

import { once } from 'node:events';
import { chmodSync, rmSync } from 'node:fs';
import { Socket } from 'node:net';
import { join, relative } from 'node:path';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { GatewayError } from '../core/errors.ts';

/** `sun_path` holds 108 bytes with its closing zero: https://man7.org/linux/man-pages/man7/unix.7.html */
const SOCKET_PATH_BYTES_MAX = 107;
const OWNER_ONLY_MASK = 0o177;

/** Where the control socket of a data folder is; server and commands both ask here. */
export function controlSocketPath(dataFolder: string): string {
  const path = join(dataFolder, 'control.sock');
  if (Buffer.byteLength(path) <= SOCKET_PATH_BYTES_MAX) return path;
  const short = relative(process.cwd(), path);
  if (Buffer.byteLength(short) <= SOCKET_PATH_BYTES_MAX) return short;
  throw new Error(
    `The path of the data folder is too long for a socket in it (${SOCKET_PATH_BYTES_MAX} bytes): ${path}`,
  );
}

/**
 * Listens on the data folder's control socket; `control.close()` ends it. The caller holds the
 * folder's lock, so a socket file that is there already was left by a process that is gone.
 */
export async function listenControl(control: FastifyInstance, dataFolder: string): Promise<string> {
  const path = controlSocketPath(dataFolder);
  await control.ready();
  rmSync(path, { force: true });
  // The file is made within `listen`: the mask keeps it from being open to others even for an instant.
  const previousMask = process.umask(OWNER_ONLY_MASK);
  try {
    control.server.listen(path);
  } finally {
    process.umask(previousMask);
  }
  await once(control.server, 'listening');
  chmodSync(path, 0o600);
  return path;
}

/** A peer on a network has an address; one on a socket file has none, and `inject` has no socket at all. */
export async function refuseNetwork(request: FastifyRequest): Promise<void> {
  const socket: unknown = request.raw.socket;
  if (socket instanceof Socket && socket.remoteAddress !== undefined) {
    throw new GatewayError('permission_denied', { message: 'The control plane is not served over a network.' });
  }
}
