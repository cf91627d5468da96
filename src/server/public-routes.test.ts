/** Goal: `/openapi.json` describes exactly the routes that exist. Method: the tables of routes against the document. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openApiText } from '../api/public/openapi.ts';
import { managementPaths } from '../api/public/openapi-management.ts';
import { batchRoutes } from '../gateway/batches/batch-routes.ts';
import { fileRoutes } from '../gateway/files/file-routes.ts';
import { chatRoutes } from '../gateway/routes.ts';
import { storedRoutes } from '../gateway/stored/stored-routes.ts';
import { type PublicRouteParts, publicRoutes } from './public-routes.ts';

const catalog = { all: () => [], get: () => undefined, named: () => [] };
const gateway = { catalog, providers: new Map(), paidInAdvance: true } as unknown as Parameters<typeof publicRoutes>[0];
const parts: PublicRouteParts = {
  reasons: () => [],
  nodeFacts: null,
  metricsToken: null,
  version: '0',
  publicUrl: null,
  pages: '/llms.txt',
  showsModels: true,
  stats: {} as PublicRouteParts['stats'],
  prices: { read: async () => null },
};
const { keyed, open } = publicRoutes(gateway, parts);
const document = JSON.parse(await openApiText(parts)());
const paths: Record<
  string,
  Record<string, { readonly security: unknown[]; readonly responses: object }>
> = document.paths;

/** Two of the ways to send a key; one is enough. */
const WITH_KEY = [{ bearer: [] }, { apiKey: [] }];

/** The documented path of a route, in OpenAPI's notation. */
function documented({ paths: [path = ''] }: { readonly paths: readonly string[] }): string {
  return path.replace('*', '{id}').replaceAll(/:(\w+)/g, '{$1}');
}

test('every public route is in the document, and nothing else is', async () => {
  const served = [
    ...chatRoutes.map(({ path }) => `post ${path}`),
    ...[...storedRoutes, ...fileRoutes, ...batchRoutes].map(({ method, path }) => `${method} ${path}`),
    ...[...keyed, ...open].map((route) => `get ${documented(route)}`),
  ];
  // `api/public/openapi.test.ts` checks these.
  const { paths: managed } = await managementPaths();
  const described = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods)
      .filter((method) => managed[path]?.[method] === undefined)
      .map((method) => `${method} ${path}`),
  );
  assert.deepEqual(described.toSorted(), served.toSorted());
});

test('the document requires a key exactly for routes that do', () => {
  for (const route of keyed)
    assert.deepEqual(paths[documented(route)]?.['get']?.security.slice(0, 2), WITH_KEY, documented(route));
  for (const route of open) assert.deepEqual(paths[documented(route)]?.['get']?.security, [], documented(route));
  for (const { path, dialect } of chatRoutes) {
    const own = dialect.credential === undefined ? [] : [{ googleApiKey: [] }];
    assert.deepEqual(paths[path]?.['post']?.security, [...WITH_KEY, ...own], path);
  }
});

test('errors of a route have the documented shape', () => {
  for (const route of keyed) {
    const isOpenRouters = JSON.stringify(paths[documented(route)]?.['get']?.responses).includes(
      '#/components/schemas/OpenRouterError',
    );
    assert.equal(isOpenRouters, route.style === 'openrouter', documented(route));
  }
});

test('a program gets the addresses of the documents, and a browser gets the page', async () => {
  const { openapi, errors, pages } = await documentsOf(open);
  for (const address of [openapi, errors])
    assert.ok(
      open.some(({ paths: [path] }) => path === address),
      address,
    );
  assert.equal(pages, '/llms.txt');
  const atPath = publicRoutes(gateway, { ...parts, publicUrl: 'https://models.example.com/llm' });
  assert.equal((await documentsOf(atPath.open)).pages, '/llm/llms.txt');
  const without = publicRoutes(gateway, { ...parts, pages: null });
  assert.equal('pages' in (await documentsOf(without.open)), false);
});

async function documentsOf(routes: typeof open): Promise<{ openapi: string; errors: string; pages?: string }> {
  const docs = routes.find(({ paths: [path] }) => path === '/docs');
  assert.equal(docs?.isPage, true);
  const answer = await docs?.answer({} as Parameters<typeof docs.answer>[0]);
  return JSON.parse(String(answer?.body));
}
