/**
 * Goal: vectors work on a fresh installation, with exact money, and what is no request for vectors gets an error that names the right path. Method: the demo's model
 * through the whole gateway, and the lists of models.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type OpenGateway, openGateway } from '../support/open-gateway.ts';

let gateway: OpenGateway;
before(async () => {
  gateway = await openGateway({
    demo: true,
    providers: [{ name: 'google', credential: 'canary', origin: 'http://127.0.0.1:9' }],
  });
});
after(() => gateway.close());

const content = (text: string) => ({ parts: [{ text }] });
const list = async (path: string, headers: Readonly<Record<string, string>> = {}) =>
  (await fetch(gateway.url + path, { headers: { authorization: `Bearer ${gateway.key}`, ...headers } })).json();

test('the demo turns texts into vectors, charged by the tokens that it counted', async () => {
  const one = await gateway.post('/v1beta/models/demo/embed:embedContent', { content: content('one two three') });
  assert.equal(one.status, 200);
  assert.equal(((await one.json()) as { embedding: { values: number[] } }).embedding.values.length, 64);
  const record = gateway.records.at(-1);
  assert.deepEqual([record?.operation, record?.usage.inputTokens, record?.usageSource], ['embeddings', 3, 'reported']);
  // 3 tokens at $0.15 per million, in nano-USD.
  assert.equal(record?.charge, 450n);
  assert.ok(450n <= (record?.hold ?? 0n));
  const requests = [{ content: content('a b') }, { content: content('c') }];
  const several = await gateway.post('/v1beta/models/demo/embed:batchEmbedContents', { requests });
  assert.equal(((await several.json()) as { embeddings: object[] }).embeddings.length, 2);
  assert.equal(gateway.records.at(-1)?.charge, 450n);
});

test('a request of several may repeat the model, with its vendor or without, and may not name another', async () => {
  const ask = (model: string) =>
    gateway.post('/v1beta/models/demo/embed:batchEmbedContents', { requests: [{ model, content: content('a') }] });
  for (const model of ['models/demo/embed', 'models/embed', 'embed'])
    assert.equal((await ask(model)).status, 200, model);
  for (const model of ['models/echo', 'demo/echo', 'bed', 'demo']) assert.equal((await ask(model)).status, 400, model);
});

test('a conversation with a model for vectors, in any format, is refused with the address for vectors', async () => {
  const messages = [{ role: 'user', content: 'x' }];
  for (const model of ['demo/embed', 'google/gemini-embedding-001'])
    for (const [path, body] of [
      ['/v1/chat/completions', { model, messages }],
      ['/v1/messages', { model, messages, max_tokens: 9 }],
      ['/v1/responses', { model, input: 'x' }],
      [`/v1beta/models/${model}:generateContent`, { contents: [content('x')] }],
    ] as const) {
      const response = await gateway.post(path, body);
      assert.equal(response.status, 400);
      assert.match(await response.text(), new RegExp(`/v1beta/models/${model}:embedContent`));
    }
});

test('vectors of an image are refused, because their price is not known', async () => {
  const image = { parts: [{ inlineData: { mimeType: 'image/png', data: 'AAAA' } }] };
  const response = await gateway.post('/v1beta/models/gemini-embedding-2:embedContent', { content: image });
  assert.equal(response.status, 400);
  assert.match(await response.text(), /Only text can be sent to google\/gemini-embedding-2/);
});

test('lists say what each model is for, and lists of models to talk to leave the others out', async () => {
  const { models } = (await list('/v1beta/models?pageSize=1000')) as {
    models: { name: string; supportedGenerationMethods: string[] }[];
  };
  const methods = new Map(models.map((model) => [model.name, model.supportedGenerationMethods]));
  for (const name of ['models/demo/embed', 'models/google/gemini-embedding-001'])
    assert.deepEqual(methods.get(name), ['embedContent', 'batchEmbedContents']);
  assert.ok(methods.get('models/demo/echo')?.includes('generateContent'));
  const routed = (await list('/api/v1/models?output_modalities=embeddings')) as { data: { id: string }[] };
  assert.ok(routed.data.some(({ id }) => id === 'google/gemini-embedding-001'));
  assert.ok(!routed.data.some(({ id }) => id === 'demo/echo'));
  const claudes = (await list('/v1/models?limit=1000', { 'anthropic-version': '2023-06-01' })) as {
    data: { id: string }[];
  };
  assert.ok(claudes.data.some(({ id }) => id === 'demo/echo'));
  assert.ok(!claudes.data.some(({ id }) => id.includes('embed')));
});
