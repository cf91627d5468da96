/**
 * The control plane: the management API's door for commands. Served on the control socket of the data folder, and to commands in the same
 * process through `inject`, with the same handlers.
 */
import fastify, { type FastifyInstance } from 'fastify';
import { GatewayError } from '../core/errors.ts';
import { refuseNetwork } from './control-socket.ts';
import { mountManagement } from './management/door/mount.ts';
import type { Management } from './management/door/parts.ts';
import { noSchemas } from './no-schemas.ts';
import { replyError } from './reply-error.ts';

export function buildControl(management: Management): FastifyInstance {
  const control = fastify({ exposeHeadRoutes: false, schemaController: noSchemas });
  control.addHook('onRequest', refuseNetwork);
  control.setErrorHandler(replyError);
  control.setNotFoundHandler((request) => {
    throw new GatewayError('not_found', { message: `The control plane has no ${request.method} ${request.url}.` });
  });
  mountManagement(control, 'control', management);
  return control;
}
