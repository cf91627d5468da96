/** Goal: tools can load the document. Method: every reference resolves, every operation is whole. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorTable } from '../core/errors.ts';
import { openApiDocument } from './openapi.ts';

const document = openApiDocument({ version: '1.2.3', publicUrl: null });
const paths = document['paths'] as Record<string, Record<string, Record<string, unknown>>>;

test('the public routes are there, and those of the specification need a key', () => {
  const needKey: [string, string][] = [
    ['/api/v1/key', 'get'],
    ['/api/v1/models', 'get'],
    ['/api/v1/chat/completions', 'post'],
    ['/v1/messages', 'post'],
    ['/v1/models', 'get'],
  ];
  for (const [path, method] of needKey) {
    const operation = paths[path]?.[method];
    assert.deepEqual(operation?.['security'], [{ bearer: [] }, { apiKey: [] }], path);
    assert.ok(Object.hasOwn(operation['responses'] as object, '401'), path);
  }
  for (const path of ['/health/live', '/health/ready', '/metrics', '/openapi.json']) {
    assert.deepEqual(paths[path]?.['get']?.['security'], [], path);
  }
});

test('every reference leads to a schema', () => {
  const names = Object.keys((document['components'] as { schemas: object }).schemas);
  const references = [...JSON.stringify(document).matchAll(/#\/components\/schemas\/(\w+)/g)].map(
    (match) => match[1] ?? '',
  );
  assert.ok(references.length > 5);
  for (const name of references) assert.ok(names.includes(name ?? ''), `${name}`);
});

test('every part of a path that varies is described, and no status is that no error has', () => {
  const statuses = new Set(Object.values(errorTable).map(({ status }) => String(status)));
  for (const [path, operations] of Object.entries(paths)) {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
    for (const operation of Object.values(operations)) {
      const parameters = (operation['parameters'] ?? []) as { name: string; in: string }[];
      assert.deepEqual(
        parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name),
        inPath,
        path,
      );
      for (const status of Object.keys(operation['responses'] as object))
        assert.ok(status === '200' || statuses.has(status), `${path}: ${status}`);
    }
  }
});

test('operation ids are unique', () => {
  const ids = Object.values(paths).flatMap((path) => Object.values(path).map((operation) => operation['operationId']));
  assert.equal(new Set(ids).size, ids.length);
});

test('the server is the public address where one is configured', () => {
  const { servers } = openApiDocument({ version: '1', publicUrl: 'https://models.example.com' });
  assert.deepEqual(servers, [{ url: 'https://models.example.com' }]);
});
