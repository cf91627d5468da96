/**
 * Goal: the examples of the API match real answers. Method: a gateway with the demo models answers every public route; each
 * answer has exactly the fields of the route's example.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openApiText } from '../src/api/public/openapi.ts';
import { routeExamples } from '../src/api/public/openapi-examples.ts';
import { routes } from '../src/api/public/openapi-routes.ts';
import { type OpenGateway, openGateway } from './support/open-gateway.ts';

test('every public route has an example of its answer, and of its request if it takes one', async () => {
  assert.deepEqual(Object.keys(routeExamples).toSorted(), routes.map(({ operationId }) => operationId).toSorted());
  const document = JSON.parse(await openApiText({ version: '1', publicUrl: null })());
  const paths = document.paths as Record<string, Record<string, Shown>>;
  for (const { operationId, path, method, request, answer, isForm } of routes) {
    const shown = paths[path]?.[method];
    const example = routeExamples[operationId];
    assert.equal(example?.request !== undefined, request !== undefined, operationId);
    const type = isForm === true ? 'multipart/form-data' : 'application/json';
    assert.deepEqual(shown?.requestBody?.content[type]?.example, example?.request, operationId);
    const content = shown?.responses['200']?.content;
    assert.deepEqual(content?.[answer.contentType ?? 'application/json']?.example, example?.answer, operationId);
    assert.equal(content?.['text/event-stream']?.example, example?.stream, operationId);
  }
});

test('the examples have the fields of real answers', async () => {
  const gateway = await openGateway({ demo: true, dashboard: { publicModels: true }, batches: { linesAtOnce: 1 } });
  try {
    const chat = routeExamples['createChatCompletion']?.request;
    const ended = gateway.nextRecord();
    const call = await gateway.post('/api/v1/chat/completions', chat);
    await call.text();
    await ended;
    const upload = await postForm(gateway, '/api/v1/files', { purpose: 'batch', file: 'lines.jsonl' });
    const { id: file } = (await upload.json()) as { id: string };
    const input = await postForm(gateway, '/api/v1/files', { purpose: 'batch', file: 'lines.jsonl' }, LINES);
    const ofBatch = { input_file_id: ((await input.json()) as { id: string }).id };
    const made = await gateway.post('/api/v1/batches', {
      ...Object(routeExamples['createBatch']?.request),
      ...ofBatch,
    });
    const { id: batch } = (await made.json()) as { id: string };
    const places: Readonly<Record<string, string>> = {
      '/api/v1/generation': `/api/v1/generation?id=${call.headers.get('x-generation-id')}`,
      '/api/v1/files/{id}': `/api/v1/files/${file}`,
      '/api/v1/files/{id}/content': `/api/v1/files/${file}/content`,
      '/api/v1/batches/{id}': `/api/v1/batches/${batch}`,
      '/api/v1/batches/{id}/cancel': `/api/v1/batches/${batch}/cancel`,
    };
    for (const { operationId, path, method, answer, isForm } of routes.filter(
      (route) => !NOT_IN_DEMO.has(route.operationId),
    )) {
      const example = routeExamples[operationId];
      const address = (places[path] ?? path).replace(/\{(?:id|model|author\}\/\{slug)\}/, 'demo/echo');
      const response =
        method === 'post'
          ? await (isForm === true
              ? postForm(gateway, address, example?.request)
              : gateway.post(
                  address,
                  operationId === 'createBatch' ? { ...Object(example?.request), ...ofBatch } : example?.request,
                ))
          : await fetch(`${gateway.url}${address}`, { method, headers: { authorization: `Bearer ${gateway.key}` } });
      const body = await response.text();
      assert.equal(response.status, 200, `${address}: ${body}`);
      if (operationId === 'getOpenApi') continue;
      if (answer.contentType !== undefined) {
        assert.ok(String(example?.answer).startsWith(body.slice(0, 4)), operationId);
        continue;
      }
      assert.deepEqual(
        shapeOf(example?.answer, JSON.parse(body)),
        shapeOf(JSON.parse(body), example?.answer),
        operationId,
      );
    }
  } finally {
    await gateway.close();
  }
});

/** It begins like a line of a batch, and for the demo it is a recording. */
const FILE = '{"custom_id":"1"}\n'.padEnd(34_000);

/** So many that a batch of them has not ended when it is cancelled. */
const LINES = Array.from({ length: 5_000 }, (_, at) => {
  const body = { model: 'demo/echo', messages: [{ role: 'user', content: 'Hello' }] };
  return `${JSON.stringify({ custom_id: String(at), method: 'POST', url: '/v1/chat/completions', body })}\n`;
}).join('');

function postForm(gateway: OpenGateway, path: string, fields: unknown, file = FILE): Promise<Response> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields as Readonly<Record<string, string>>))
    form.append(name, name === 'file' ? new File([file], value) : value);
  const headers = { authorization: `Bearer ${gateway.key}` };
  return fetch(`${gateway.url}${path}`, { method: 'POST', headers, body: form });
}

/** The demo models make no vectors, shorten nothing and keep nothing. */
const NOT_IN_DEMO: ReadonlySet<string> = new Set([
  ...['embedContent', 'batchEmbedContents'],
  ...['compactResponse', 'getResponse', 'deleteResponse', 'listResponseInputItems', 'cancelResponse'],
]);

interface Shown {
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

type Content = Readonly<Record<string, { readonly example?: unknown }>>;

/** The names of all fields. If one side has null or an empty list, the other is not compared. */
function shapeOf(value: unknown, other: unknown): unknown {
  if (value === null || other === null) return 'anything';
  if (Array.isArray(value) && Array.isArray(other))
    return value.length === 0 || other.length === 0 ? 'a list' : [shapeOf(value[0], other[0])];
  if (typeof value !== 'object') return typeof value;
  const pairs = Object.entries(value).map(([name, inner]) => [name, shapeOf(inner, (other as Fields)?.[name])]);
  return Object.fromEntries(pairs.toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1)));
}

type Fields = Readonly<Record<string, unknown>>;
