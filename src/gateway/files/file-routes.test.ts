/** Goal: a path is about files, or about something else, in one way only. Method: tables of paths. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileMethods, fileRoutes, findFileRequest } from './file-routes.ts';

test('each route is found at its path and its aliases, with a slash at the end or without', () => {
  assert.equal(fileRoutes.length, 5);
  for (const { method, path, aliases } of fileRoutes)
    for (const each of [path, ...aliases]) {
      const target = each.replace('{id}', 'file-1');
      for (const asked of [target, `${target}/`, `${target}?x=1`]) {
        const found = findFileRequest(method.toUpperCase(), asked);
        assert.equal(found?.id, each.includes('{id}') ? 'file-1' : '', `${method} ${asked}`);
        assert.equal(found?.query, asked.endsWith('?x=1') ? 'x=1' : '');
      }
    }
});

for (const [method, target] of [
  ['PUT', '/v1/files'],
  ['POST', '/v1/files/file-1'],
  ['DELETE', '/v1/files'],
  ['DELETE', '/v1/files/file-1/content'],
  ['GET', '/v1/files//content'],
  ['GET', '/v1/files/file-1/content/x'],
  ['GET', '/v1/files/file-1/other'],
  ['GET', '/v1/filesystem'],
  ['GET', '/v1beta/files'],
  ['GET', `/v1/files/${'x'.repeat(3000)}`],
  [undefined, '/v1/files'],
] as const)
  test(`${method} ${target.slice(0, 60)} is none of them`, () => assert.equal(findFileRequest(method, target), null));

test('a path says which methods it accepts, and another path none', () => {
  for (const [path, methods] of [
    ['/v1/files', ['POST', 'GET']],
    ['/api/v1/files/file-1/', ['GET', 'DELETE']],
    ['/files/file-1/content', ['GET']],
    ['/v1/files/file-1/other', []],
    ['/v1/models/x', []],
  ] as const)
    assert.deepEqual(fileMethods(path), methods, path);
});
