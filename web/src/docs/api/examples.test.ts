/** Goal: each route has an example that matches it, and is tried as described. Method: the document that the server serves. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openApiText } from '../../../../src/api/public/openapi.ts';
import { bodyType, type Document, FORM, groupsOf, type Operation } from './document.ts';
import { exampleAnswers } from './example-answers.ts';
import { exampleValue } from './example-value.ts';
import { requestSnippets } from './request-snippets.ts';
import { canTry, problemOf, startBody, startValues, tryRequest } from './try-request.ts';

const URL_OF_GATEWAY = 'https://models.example.com';
const document = JSON.parse(await openApiText({ version: '1', publicUrl: URL_OF_GATEWAY })()) as Document;
const operations = groupsOf(document).flatMap(({ operations: all }) => all);

function operation(operationId: string): Operation {
  const found = operations.find((each) => each.operationId === operationId);
  assert.ok(found, operationId);
  return found;
}

test('every route has an example request, and an example answer if it has a body', () => {
  assert.ok(operations.length > 80);
  for (const each of operations) {
    const [curl] = requestSnippets(each, document);
    assert.match(curl?.code ?? '', /^curl /, each.operationId);
    assert.doesNotMatch(curl?.code ?? '', /undefined|\{\w+\}|\[object/, each.operationId);
    const answers = exampleAnswers(each, document);
    const hasBody = Object.entries(each.responses).some(
      ([status, { content }]) => status < '300' && content !== undefined,
    );
    assert.equal(answers.length > 0, hasBody && each.operationId !== 'followCalls', each.operationId);
    for (const { code } of answers) assert.doesNotMatch(code, /undefined/, each.operationId);
  }
});

test('the routes of a vendor’s SDK show it', () => {
  for (const id of ['createChatCompletion', 'createMessage', 'countMessageTokens', 'listModels']) {
    const labels = requestSnippets(operation(id), document).map(({ label }) => label);
    assert.deepEqual(labels, ['curl', 'Python', 'JavaScript'], id);
  }
});

test('a made-up answer has every field, a request only what it needs', () => {
  const schema = {
    type: 'object',
    required: ['name'],
    properties: {
      name: { type: 'string' },
      id: { type: 'integer', minimum: 1 },
      tags: { type: 'array', items: { type: 'string' } },
    },
  };
  assert.deepEqual(exampleValue(schema, document, 'answer'), { name: 'Support bot', id: 1, tags: ['…'] });
  assert.deepEqual(exampleValue(schema, document, 'request'), { name: 'Support bot' });
  const circle: Document = {
    ...document,
    components: { schemas: { A: { type: 'object', properties: { a: { $ref: '#/components/schemas/A' } } } } },
  };
  assert.match(JSON.stringify(exampleValue({ $ref: '#/components/schemas/A' }, circle, 'answer')), /null/);
});

test('a request has the route with its parameters, and the key only in a header', () => {
  const model = operation('getModel');
  const request = tryRequest(model, { id: 'acme/large x' }, ' sk-tp-1 ', '', '/llm');
  assert.deepEqual(request, {
    url: '/llm/api/v1/model/acme%2Flarge%20x',
    method: 'GET',
    headers: { accept: 'application/json, text/event-stream, */*', authorization: 'Bearer sk-tp-1' },
    body: null,
  });
  const activity = tryRequest(operation('getActivity'), { date: '2026-11-23', key: '', project: '' }, 'k', '', '');
  assert.equal(activity.url, '/api/v1/activity?date=2026-11-23');
  const call = operation('createMessage');
  const sent = tryRequest(call, startValues(call), 'k', startBody(call, document), '');
  assert.equal(sent.headers['content-type'], 'application/json');
  assert.equal(JSON.parse(sent.body ?? '').model, 'demo/echo');
});

test('missing values are reported before anything is sent', () => {
  const generation = operation('getGeneration');
  assert.equal(problemOf(generation, { id: '' }, 'k', ''), 'Enter id.');
  assert.equal(problemOf(generation, { id: 'gen-1' }, ' ', ''), 'Enter an API key first.');
  assert.equal(problemOf(generation, { id: 'gen-1' }, 'k', ''), null);
  assert.match(problemOf(operation('createMessage'), {}, 'k', '{') ?? '', /not JSON/);
});

test('routes that need a session or a file cannot be tried, nor can sign-in', () => {
  for (const each of operations) {
    const isDashboard = each.path.startsWith('/api/dashboard/');
    const takesFile = bodyType(each) === FORM;
    assert.equal(canTry(each), !isDashboard && !takesFile, each.operationId);
  }
});
