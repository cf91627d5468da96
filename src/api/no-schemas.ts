import type { FastifyServerOptions } from 'fastify';

/**
 * Routes are validated by the contract (`api/contract/`), not by Fastify's schemas; without this option Fastify loads two schema compilers,
 * a hundred modules, at each start.
 */
export const noSchemas: NonNullable<FastifyServerOptions['schemaController']> = {
  compilersFactory: { buildValidator: refuse, buildSerializer: refuse },
};

function refuse(): never {
  throw new Error('a route has a schema of Fastify’s, which nothing here compiles');
}
