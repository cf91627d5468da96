/** Goal: the examples of the API's pages can be pasted into a shell. Method: routes as an OpenAPI document has them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { curlOf } from './curl.ts';
import type { Document, Operation } from './document.ts';

const document: Document = {
  info: { title: 'Turnpike', version: '1' },
  servers: [{ url: 'https://models.example.com/' }],
  paths: {},
  components: { schemas: { Person: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } } } },
};

function operation(changes: Partial<Operation>): Operation {
  return { operationId: 'x', method: 'GET', path: '/api/v1/things', responses: {}, ...changes };
}

test('a key is sent as a bearer token, and GET without a method', () => {
  const command = curlOf(operation({ security: [{ bearer: [] }] }), document);
  assert.equal(command, "curl https://models.example.com/api/v1/things \\\n  -H 'Authorization: Bearer sk-tp-…'");
});

test('a body has its required fields, by reference too', () => {
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Person' } } };
  const command = curlOf(operation({ method: 'POST', requestBody: { content } }), document);
  assert.match(command, /-X POST/);
  assert.match(command, /-d '\{"name":"Support bot"\}'$/);
});

test('a change with a session states its origin', () => {
  const changes = { method: 'DELETE', path: '/api/dashboard/session', security: [{ session: [] }] };
  assert.match(curlOf(operation(changes), document), /-H 'Origin: https:\/\/models\.example\.com'/);
});

test('sound goes to a file', () => {
  const sound = { '200': { description: '', content: { 'audio/*': {} } } };
  assert.match(curlOf(operation({ responses: sound }), document), / \\\n {2}--output speech$/);
});
