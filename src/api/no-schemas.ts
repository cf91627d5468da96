import type { FastifyServerOptions } from 'fastify';

/**
 * Routes are checked by the contract (`api/contract/`), none by a schema of Fastify's; without this Fastify loads two compilers of
 * schemas, a hundred modules, at each start.
 */
export const noSchemas: NonNullable<FastifyServerOptions['schemaController']> = {
  compilersFactory: { buildValidator: refuse, buildSerializer: refuse },
};

function refuse(): never {
  throw new Error('a route has a schema of Fastify’s, which nothing here compiles');
}
