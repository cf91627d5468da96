/**
 * The control plane: all its routes. It is served on the control socket of the data folder, and to
 * commands in the same process through `inject`; the same handlers either way.
 */
import fastify, { type FastifyInstance } from 'fastify';
import { GatewayError } from '../core/errors.ts';
import { listAccounts, updateAccount } from './accounts.ts';
import { createBackup } from './backup.ts';
import { addEntry, listEntries, refundCall, showBalance } from './balance.ts';
import { listModels } from './catalog.ts';
import { checkCredentials, rotateCredentials } from './credentials.ts';
import { refuseNetwork } from './guard.ts';
import { readHealth } from './health.ts';
import { createKey, listKeys, revokeKey, rotateKey, updateKey } from './keys.ts';
import { checkLedger, listTransfers, sealLedger, verifyLedger } from './ledger.ts';
import { type Management, mountManagement } from './management/door/mount.ts';
import { createProject, listProjects, updateProject } from './projects.ts';
import { listProviders, testProvider } from './providers.ts';
import { tailRecords } from './records.ts';
import { replyError } from './reply-error.ts';
import type { ControlServices } from './services.ts';

/** No body of the control plane comes near this. */
const BODY_BYTES_MAX = 64 * 1024;

/** With `management`, the management API is below `/control/api`, for the operator. */
export function buildControl(services: ControlServices, management: Management | null = null): FastifyInstance {
  const control = fastify({ bodyLimit: BODY_BYTES_MAX, exposeHeadRoutes: false });
  control.addHook('onRequest', refuseNetwork);
  control.setErrorHandler(replyError);
  control.setNotFoundHandler((request) => {
    throw new GatewayError('not_found', { message: `The control plane has no ${request.method} ${request.url}.` });
  });

  control.get('/control/health', () => readHealth(services));

  addKeyRoutes(control, services);
  addScopeRoutes(control, services);
  addMoneyRoutes(control, services);

  control.get('/control/models', (request) => listModels(services, request.query));

  control.get('/control/providers', () => listProviders(services));
  control.post<{ Params: { name: string } }>('/control/providers/:name/test', (request) =>
    testProvider(services, request.params.name, { endsTrouble: true }),
  );
  // What only looks changes nothing about what is said of the provider.
  control.get<{ Params: { name: string } }>('/control/providers/:name/connection', (request) =>
    testProvider(services, request.params.name, { endsTrouble: false }),
  );

  control.get('/control/credentials', () => checkCredentials(services));
  control.post('/control/credentials/rotate', () => rotateCredentials(services));

  control.get('/control/records', (request) => tailRecords(services, request.query));
  if (management !== null) mountManagement(control, 'control', management);
  return control;
}

interface Named {
  Params: { reference: string };
}

function addKeyRoutes(control: FastifyInstance, services: ControlServices): void {
  control.get('/control/keys', (request) => listKeys(services, request.query));
  control.post('/control/keys', async (request, reply) => {
    reply.code(201);
    return createKey(services, request.body);
  });
  control.patch<Named>('/control/keys/:reference', ({ params, body }) => updateKey(services, params.reference, body));
  control.post<Named>('/control/keys/:reference/rotate', async ({ params, body }, reply) => {
    reply.code(201);
    return rotateKey(services, params.reference, body);
  });
  control.delete<Named>('/control/keys/:reference', ({ params, query }) =>
    revokeKey(services, params.reference, query),
  );
}

function addScopeRoutes(control: FastifyInstance, services: ControlServices): void {
  control.get('/control/projects', (request) => listProjects(services, request.query));
  control.post('/control/projects', async (request, reply) => {
    reply.code(201);
    return createProject(services, request.body);
  });
  control.patch<Named>('/control/projects/:reference', ({ params, query, body }) =>
    updateProject(services, params.reference, query, body),
  );
  control.get('/control/accounts', () => listAccounts(services));
  control.patch<Named>('/control/accounts/:reference', ({ params, body }) =>
    updateAccount(services, params.reference, body),
  );
}

function addMoneyRoutes(control: FastifyInstance, services: ControlServices): void {
  control.get('/control/balance', (request) => showBalance(services, request.query));
  control.get('/control/balance/entries', (request) => listEntries(services, request.query));
  control.post('/control/balance/entries', (request) => addEntry(services, request.body));
  control.post('/control/balance/refunds', (request) => refundCall(services, request.body));

  control.get('/control/ledger/check', () => checkLedger(services));
  control.get('/control/ledger/transfers', (request) => listTransfers(services, request.query));
  control.post('/control/ledger/verify', (request) => verifyLedger(services, request.body));
  control.post('/control/ledger/seal', (request) => sealLedger(services, request.body));
  control.post('/control/backup', (request) => createBackup(services, request.body));
}
