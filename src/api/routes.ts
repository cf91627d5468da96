/**
 * The control plane: all its routes. It is served on the control socket of the data folder, and to
 * commands in the same process through `inject`; the same handlers either way.
 */
import fastify, { type FastifyInstance } from 'fastify';
import { GatewayError } from '../core/errors.ts';
import { listModels } from './catalog.ts';
import { refuseNetwork } from './guard.ts';
import { readHealth } from './health.ts';
import { createKey, listKeys, revokeKey } from './keys.ts';
import { listProviders, testProvider } from './providers.ts';
import { tailRecords } from './records.ts';
import { replyError } from './reply-error.ts';
import type { ControlServices } from './services.ts';

/** No body of the control plane comes near this. */
const BODY_BYTES_MAX = 64 * 1024;

export function buildControl(services: ControlServices): FastifyInstance {
  const control = fastify({ bodyLimit: BODY_BYTES_MAX, exposeHeadRoutes: false });
  control.addHook('onRequest', refuseNetwork);
  control.setErrorHandler(replyError);
  control.setNotFoundHandler((request) => {
    throw new GatewayError('not_found', { message: `The control plane has no ${request.method} ${request.url}.` });
  });

  control.get('/control/health', () => readHealth(services));

  control.get('/control/keys', (request) => listKeys(services, request.query));
  control.post('/control/keys', async (request, reply) => {
    reply.code(201);
    return createKey(services, request.body);
  });
  control.delete<{ Params: { reference: string } }>('/control/keys/:reference', (request) =>
    revokeKey(services, request.params.reference),
  );

  control.get('/control/models', (request) => listModels(services, request.query));

  control.get('/control/providers', () => listProviders(services));
  control.post<{ Params: { name: string } }>('/control/providers/:name/test', (request) =>
    testProvider(services, request.params.name),
  );

  control.get('/control/records', (request) => tailRecords(services, request.query));
  return control;
}
