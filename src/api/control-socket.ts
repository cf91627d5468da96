/**
 * Access to the control plane: only its owner can open the socket file (mode 0600, in a folder of mode 0700). There is no other check, so
 * every request over a network is refused.
 */

import { once } from 'node:events';
import { chmodSync, rmSync } from 'node:fs';
import { Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { GatewayError } from '../core/errors.ts';

const OWNER_ONLY_MASK = 0o177;

/**
 * Listens on a data folder's control socket; `control.close()` ends it. The caller holds the folder's lock, so an existing socket file was
 * left by a process that has ended.
 */
export async function listenControl(control: FastifyInstance, socketPath: string): Promise<void> {
  await control.ready();
  rmSync(socketPath, { force: true });
  // `listen` creates the file: the mask prevents others from opening it even for an instant.
  const previousMask = process.umask(OWNER_ONLY_MASK);
  try {
    control.server.listen(socketPath);
  } finally {
    process.umask(previousMask);
  }
  await once(control.server, 'listening');
  chmodSync(socketPath, 0o600);
}

/** A peer on a network has an address; one on a socket file has none, and `inject` has no socket at all. */
export async function refuseNetwork(request: FastifyRequest): Promise<void> {
  const socket: unknown = request.raw.socket;
  if (socket instanceof Socket && socket.remoteAddress !== undefined) {
    throw new GatewayError('permission_denied', { message: 'The control plane is not served over a network.' });
  }
}
