/** Goal: a path names a stored answer, or something else, in one way only. Method: tables of paths. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { queryToPass } from './query-to-pass.ts';
import { findStored, storedMethods, storedRoutes } from './stored-routes.ts';

test('each route is found at its path and its aliases, with a slash at the end or without', () => {
  assert.equal(storedRoutes.length, 4);
  for (const { method, path, aliases } of storedRoutes)
    for (const each of [path, ...aliases]) {
      const target = each.replace('{id}', 'resp_1');
      for (const asked of [target, `${target}/`, `${target}?x=1`]) {
        const found = findStored(method.toUpperCase(), asked);
        assert.equal(found?.id, 'resp_1', `${method} ${asked}`);
        assert.equal(found?.dialect.name, 'openai-responses');
        assert.equal(found?.query, asked.endsWith('?x=1') ? 'x=1' : '');
      }
    }
});

for (const [method, target] of [
  ['POST', '/v1/responses'],
  ['GET', '/v1/responses'],
  ['GET', '/v1/responses/'],
  ['GET', '/v1/responses//input_items'],
  ['POST', '/v1/responses/resp_1'],
  ['PUT', '/v1/responses/resp_1'],
  ['DELETE', '/v1/responses/resp_1/input_items'],
  ['GET', '/v1/responses/resp_1/cancel'],
  ['GET', '/v1/responses/resp_1/input_items/x'],
  ['GET', '/v1/responses/resp_1/other'],
  ['GET', `/v1/responses/${'x'.repeat(3000)}`],
  ['GET', '/v1/chat/completions/x'],
  [undefined, '/v1/responses/x'],
] as const)
  test(`${method} ${target.slice(0, 60)} is none of them`, () => assert.equal(findStored(method, target), null));

test('a path says which methods it accepts, and another path none', () => {
  for (const [path, methods] of [
    ['/v1/responses/resp_1', ['GET', 'DELETE']],
    ['/api/v1/responses/resp_1/', ['GET', 'DELETE']],
    ['/v1/responses/resp_1/input_items', ['GET']],
    ['/v1/responses/resp_1/cancel', ['POST']],
    ['/v1/responses/resp_1/other', []],
    ['/v1/responses/', []],
    ['/v1/models/x', []],
  ] as const)
    assert.deepEqual(storedMethods(path), methods, path);
});

test('only known parameters are passed, and a stream is refused', () => {
  const passed = (part: '' | 'input_items', query: string) => queryToPass({ part, query });
  assert.equal(passed('', 'include[]=a&include[]=b&api_key=x&model=y'), 'include%5B%5D=a&include%5B%5D=b');
  assert.equal(passed('input_items', 'limit=5&order=asc&after=msg_1&x=1'), 'limit=5&order=asc&after=msg_1');
  assert.equal(passed('', 'stream=false'), '');
  for (const query of ['stream=true', 'stream', 'starting_after=3'])
    assert.throws(() => passed('', query), { code: 'unsupported_value', status: 400 });
});
