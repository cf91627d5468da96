/**
 * Who may reach the control plane: whoever may open the socket file, which is its owner alone (mode
 * 0600, in a folder of mode 0700). There is no other check, so a request that comes over a network
 * is refused whatever it carries.
 */

import { once } from 'node:events';
import { chmodSync, rmSync } from 'node:fs';
import { Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { GatewayError } from '../core/errors.ts';

const OWNER_ONLY_MASK = 0o177;

/**
 * Listens on a data folder's control socket; `control.close()` ends it. The caller holds the
 * folder's lock, so a socket file that is there already was left by a process that is gone.
 */
export async function listenControl(control: FastifyInstance, socketPath: string): Promise<void> {
  await control.ready();
  rmSync(socketPath, { force: true });
  // The file is made within `listen`: the mask keeps it from being open to others even for an instant.
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
