/** Goal: tools can load the document. Method: every reference resolves, every operation is complete. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorTable } from '../../core/errors.ts';
import { contractRoutes } from '../contract/schemas.ts';
import { MANAGEMENT_KEY, openDoors, sessionToken } from '../management/door/mount-fixture.ts';
import { openApiText } from './openapi.ts';
import { documentedPath } from './openapi-management.ts';

const document = JSON.parse(await openApiText({ version: '1.2.3', publicUrl: null })());
const paths: Record<string, Record<string, Record<string, unknown>>> = document.paths;

test('the public routes are described, and those of the vendors need a key', () => {
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

test('every reference resolves to a schema', () => {
  const names = Object.keys(document.components.schemas);
  const references = [...JSON.stringify(document).matchAll(/#\/components\/schemas\/(\w+)/g)].map(
    (match) => match[1] ?? '',
  );
  assert.ok(references.length > 5);
  for (const name of references) assert.ok(names.includes(name ?? ''), `${name}`);
});

test('every path parameter is described, and every status belongs to an error', () => {
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
        assert.ok(/^2/.test(status) || statuses.has(status), `${path}: ${status}`);
    }
  }
});

test('operation ids are unique', () => {
  const ids = Object.values(paths).flatMap((path) => Object.values(path).map((operation) => operation['operationId']));
  assert.equal(new Set(ids).size, ids.length);
});

test('the server is the public URL if one is configured', async () => {
  const { servers } = JSON.parse(await openApiText({ version: '1', publicUrl: 'https://models.example.com' })());
  assert.deepEqual(servers, [{ url: 'https://models.example.com' }]);
});

test('every route of the management API except those for commands is described, at its path for programs if it has one', () => {
  for (const each of contractRoutes) {
    const path = documentedPath(each);
    if (path === null) {
      assert.deepEqual(each.route.doors, ['control'], each.name);
      continue;
    }
    assert.equal(paths[path]?.[each.route.method.toLowerCase()]?.['operationId'], each.name);
    assert.equal(path.startsWith('/api/v1/'), each.route.doors.includes('management'), each.name);
  }
});

test('every described route of the management API is served', async () => {
  const { server } = openDoors({ doors: ['dashboard', 'management'] });
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      if (!contractRoutes.some(({ name }) => name === operation['operationId'])) continue;
      const answer = await server.inject({
        method: method.toUpperCase() as 'GET',
        url: path.replaceAll(/\{\w+\}/g, '1'),
        headers: path.startsWith('/api/v1/')
          ? { authorization: `Bearer ${MANAGEMENT_KEY}` }
          : { cookie: `turnpike-session=${sessionToken('operator')}`, 'sec-fetch-site': 'same-origin' },
      });
      assert.ok([200, 201, 202, 400].includes(answer.statusCode), `${method} ${path}: ${answer.statusCode}`);
    }
  }
});

test('schemas are valid, and nothing internal leaks into them', () => {
  const { components } = document as { components: { schemas: Record<string, Record<string, unknown>> } };
  assert.ok(components.schemas['Key']);
  const json = JSON.stringify(document);
  assert.doesNotMatch(json, /\$defs|"\$schema"|9007199254740991/);
  for (const { tags } of Object.values(paths).flatMap((path) => Object.values(path)) as { tags: string[] }[])
    assert.equal(tags.length, 1);
});
