/** Mounts the contract's routes of a door on a server. */
import type { FastifyInstance, HTTPMethods } from 'fastify';
import { GatewayError } from '../../../core/errors.ts';
import type { Door } from '../../contract/route.ts';
import { type ManagedRoute, managedRoutes } from '../index.ts';
import { takeJsonOnly } from './json-body.ts';
import type { Management } from './parts.ts';
import { Serving } from './serving.ts';

export const DOOR_PREFIXES: Readonly<Record<Door, string>> = {
  dashboard: '/api/dashboard',
  management: '/api/v1',
  control: '/control/api',
};

const METHODS: readonly HTTPMethods[] = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'];

/** Adds the routes of a door to a server that does not listen yet. */
export function mountManagement(server: FastifyInstance, door: Door, management: Management): void {
  const routes = managedRoutes(management.handlers).filter(({ route }) => route.doors.includes(door));
  const closing = new AbortController();
  server.addHook('preClose', async () => closing.abort());
  server.register(
    async (scope) => {
      const serving = new Serving(door, management, closing.signal);
      takeJsonOnly(scope, management.clock);
      scope.addHook('onRequest', (request, reply) => serving.begin(request, reply));
      scope.setErrorHandler((error, request, reply) => serving.refuse(error, request, reply));
      for (const managed of routes)
        scope.route({
          method: managed.route.method,
          url: managed.route.path,
          handler: (request, reply) => serving.serve(managed, request, reply),
        });
      refuseOtherMethods(scope, routes);
    },
    { prefix: DOOR_PREFIXES[door] },
  );
}

/** A known path with a wrong method gets 405 instead of 404, so that its caller does not try other paths. */
function refuseOtherMethods(scope: FastifyInstance, routes: readonly ManagedRoute[]): void {
  const methods = Map.groupBy(routes, ({ route }) => route.path);
  for (const [url, served] of methods) {
    const taken = new Set<HTTPMethods>(served.map(({ route }) => route.method));
    if (taken.has('GET')) taken.add('HEAD');
    const allow = METHODS.filter((method) => taken.has(method)).join(', ');
    scope.route({
      method: METHODS.filter((method) => !taken.has(method)),
      url,
      handler: async (request, reply) => {
        reply.header('allow', allow);
        throw new GatewayError('method_not_allowed', {
          message: `This URL accepts ${allow}, not ${request.method}.`,
        });
      },
    });
  }
}
