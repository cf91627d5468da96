/**
 * Goal: every route that takes a key checks the addresses the key may be used from, and no cache stores what a key reads.
 * Method: the whole program, and every route of its tables, requested with a key allowed here and with one that is not.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { contractRoutes } from '../../src/api/contract/schemas.ts';
import { DOOR_PREFIXES } from '../../src/api/management/door/mount.ts';
import { chatRoutes } from '../../src/gateway/routes.ts';
import { storedRoutes } from '../../src/gateway/stored/stored-routes.ts';
import { publicRoutes } from '../../src/server/public-routes.ts';
import { control } from '../support/control.ts';
import { chatBody, type OpenBench, openBench } from '../support/open-gateway.ts';

let bench: OpenBench;
before(async () => {
  bench = await openBench();
});
after(() => bench.close());

interface KeyedRoute {
  readonly method: string;
  readonly path: string;
  readonly kind: 'inference' | 'management';
}

/** A path with the model of the upstream in its place. */
function filled(path: string): string {
  return path.replace(/\*|:author\/:slug|:slug/, 'scripted/model');
}

function keyedRoutes(): KeyedRoute[] {
  const { keyed } = publicRoutes(bench.app.gateway, {
    reasons: () => [],
    nodeFacts: null,
    metricsToken: null,
    version: '0',
    publicUrl: null,
    pages: null,
    showsModels: false,
    stats: {} as never,
    prices: { read: async () => null },
  });
  return [
    ...keyed.flatMap(({ paths }) =>
      paths.map((path) => ({ method: 'GET', path: filled(path), kind: 'inference' as const })),
    ),
    ...chatRoutes.flatMap(({ path, aliases }) =>
      [path, ...aliases].map((each) => ({ method: 'POST', path: each, kind: 'inference' as const })),
    ),
    ...storedRoutes.flatMap(({ method, path, aliases }) =>
      [path, ...aliases].map((each) => ({
        method: method.toUpperCase(),
        path: each.replace('{id}', 'resp_1'),
        kind: 'inference' as const,
      })),
    ),
    ...contractRoutes
      .filter(({ route }) => route.doors.includes('management'))
      .map(({ route: { method, path } }) => ({
        method,
        path: DOOR_PREFIXES.management + path.replaceAll(/:\w+/g, '1'),
        kind: 'management' as const,
      })),
  ];
}

async function makeKey(kind: 'inference' | 'management', ips: readonly string[] | null): Promise<string> {
  const permissions = ips === null ? {} : { permissions: { ips } };
  const { status, body } = await control(bench.dataFolder, 'POST', '/control/api/keys?account=1', {
    name: `${kind} ${ips}`,
    kind,
    ...permissions,
  });
  assert.equal(status, 201, JSON.stringify(body));
  return (body as { key: string }).key;
}

function ask({ method, path }: KeyedRoute, key: string): Promise<Response> {
  const body = method === 'GET' || method === 'DELETE' ? {} : { body: JSON.stringify(chatBody(false)) };
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  return fetch(bench.url + path, {
    method,
    headers: method === 'GET' ? { authorization: headers.authorization } : headers,
    ...body,
  });
}

test('a key for another address is refused on every route that takes one', async () => {
  const ips = ['192.0.2.0/24'];
  const keys = { inference: await makeKey('inference', ips), management: await makeKey('management', ips) };
  const routes = keyedRoutes();
  assert.ok(routes.length > 50);
  for (const route of routes) {
    const answer = await ask(route, keys[route.kind]);
    const text = await answer.text();
    assert.equal(answer.status, 403, `${route.method} ${route.path}: ${text}`);
    assert.match(text, /can only be used from certain IP addresses/, `${route.method} ${route.path}`);
  }
});

test('a management key for another address reads nothing on the routes for every key either', async () => {
  const key = await makeKey('management', ['192.0.2.0/24']);
  for (const route of keyedRoutes().filter(({ kind, method }) => kind === 'inference' && method === 'GET'))
    assert.equal((await ask(route, key)).status, 403, route.path);
});

test('no cache stores what a key reads, nor its refusals', async () => {
  const keys = { inference: await makeKey('inference', ['127.0.0.1']), management: await makeKey('management', null) };
  for (const route of keyedRoutes().filter(({ method }) => method === 'GET'))
    for (const key of [keys[route.kind], `${keys[route.kind]}x`, `sk-tp-${'0'.repeat(49)}`]) {
      const answer = await ask(route, key);
      await answer.arrayBuffer();
      assert.equal(answer.headers.get('cache-control'), 'no-store', `${route.path}: ${answer.status}`);
      if (key.endsWith('0000')) break;
    }
});
