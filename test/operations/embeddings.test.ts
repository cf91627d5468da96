/**
 * Goal: OpenAI's package gets vectors through the gateway as from OpenAI, whatever it sends and however it wants them, and exactly the prompt is
 * charged. Method: the official package against a provider as strict as OpenAI, and the demo.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import OpenAI from 'openai';
import { type OpenGateway, openGateway } from '../support/open-gateway.ts';
import { TOKENS_OF_EACH, VECTOR } from '../support/operations/embeddings.ts';
import { type OperationsBench, openOperationsBench } from '../support/operations/operations-bench.ts';

let bench: OperationsBench;
let demo: OpenGateway;
before(async () => {
  bench = await openOperationsBench([
    { id: 'strict/vectors', upstream: 'vectors', prices: { input: 0.1, output: 0 }, contextWindow: 100 },
    { id: 'strict/missing', upstream: 'missing', prices: { input: 0.1, output: 0 } },
  ]);
  demo = await openGateway({ demo: true });
});
after(async () => {
  await bench.close();
  await demo.close();
});

const MODEL = 'strict/vectors';

test('a text, several texts, and tokens become vectors, with the caller’s model', async () => {
  for (const [input, count] of [
    ['one', 1],
    [['one', 'two'], 2],
    [[1, 2, 3], 1],
    [[[1, 2], [3]], 2],
  ] as const) {
    const answer = await bench.openai.embeddings.create({ model: MODEL, input: input as unknown as string[] });
    assert.deepEqual(
      answer.data.map(({ embedding }) => embedding),
      Array(count).fill(VECTOR),
    );
    assert.equal(answer.model, MODEL);
    assert.deepEqual(bench.strict.last().body['input'], input);
    const record = bench.records.at(-1);
    const tokens = TOKENS_OF_EACH * count;
    assert.deepEqual(
      [record?.operation, record?.usage.inputTokens, record?.usageSource, record?.charge],
      ['embeddings', tokens, 'reported', BigInt(tokens) * 100n],
    );
    assert.ok((record?.charge ?? 0n) <= (record?.hold ?? 0n));
  }
});

test('what the package asks for by itself reaches the provider, and the bytes of the vectors pass', async () => {
  await bench.openai.embeddings.create({ model: MODEL, input: 'x' });
  assert.deepEqual(bench.strict.last().body, { model: 'vectors', input: 'x', encoding_format: 'base64' });
  const sent = { model: MODEL, input: 'x', encoding_format: 'float', dimensions: 3, user: 'me' };
  const answer = (await (await bench.post('/v1/embeddings', sent)).json()) as { data: object[]; usage: object };
  assert.deepEqual(bench.strict.last().body, { ...sent, model: 'vectors' });
  assert.deepEqual(answer.data, [{ object: 'embedding', index: 0, embedding: VECTOR }]);
  assert.deepEqual(answer.usage, { prompt_tokens: 7, total_tokens: 7, cost: 0.0000007 });
});

test('where it may be served is stated as for a call, and reaches no provider', async () => {
  const sent = { model: 'nobody/has-it', models: [MODEL], provider: { order: ['strict'] }, input: 'x' };
  const response = await bench.post('/v1/embeddings', sent);
  assert.equal(response.status, 404, 'the first model has to exist');
  const second = await bench.post('/v1/embeddings', { ...sent, model: MODEL, models: [] });
  assert.equal(second.status, 200);
  assert.deepEqual(bench.strict.last().body, { model: 'vectors', input: 'x' });
});

test('if the provider counts nothing, the prompt is estimated, and never more is charged than was held', async () => {
  await (await bench.post('/v1/embeddings', { model: MODEL, input: 'x'.repeat(400), user: 'uncounted' })).text();
  const record = bench.records.at(-1);
  assert.equal(record?.usageSource, 'estimated');
  assert.ok((record?.charge ?? 0n) > 0n && (record?.charge ?? 0n) <= (record?.hold ?? 0n));
});

test('each of several inputs may fill the context window, and all of them are held for', async () => {
  const input = Array.from({ length: 5 }, () => 'word '.repeat(100));
  await (await bench.post('/v1/embeddings', { model: MODEL, input })).text();
  const hold = bench.records.at(-1)?.hold ?? 0n;
  // Five windows of 100 tokens.
  assert.ok(hold >= 5n * 100n * 100n, String(hold));
});

test('what is no request for vectors, or asks for more than a model’s work, is refused before a provider is asked', async () => {
  const { length } = bench.strict.requests;
  for (const [body, param] of [
    [{ model: MODEL }, 'input'],
    [{ model: MODEL, input: [] }, 'input'],
    [{ model: MODEL, input: 7 }, 'input'],
    [{ input: 'x' }, 'model'],
    [{ model: MODEL, input: 'x', api_base: 'http://127.0.0.1:9' }, 'api_base'],
    [{ model: MODEL, input: 'x', service_tier: 'priority' }, 'service_tier'],
    [{ model: MODEL, Input: 'x' }, 'Input'],
  ] as const) {
    const response = await bench.post('/v1/embeddings', body);
    assert.equal(response.status, 400, JSON.stringify(body));
    const { error } = (await response.json()) as { error: { param: string } };
    assert.equal(error.param, param);
  }
  assert.equal(bench.strict.requests.length, length);
});

test('a refusal of the provider is the package’s error, and nothing is charged', async () => {
  await assert.rejects(
    () => bench.openai.embeddings.create({ model: 'strict/missing', input: 'x' }),
    (error) => error instanceof OpenAI.APIError && error.status === 404,
  );
  assert.equal(bench.records.at(-1)?.charge ?? 0n, 0n);
});

test('the demo makes the same vectors as numbers and as bytes', async () => {
  const openai = new OpenAI({ baseURL: `${demo.url}/api/v1`, apiKey: demo.key, maxRetries: 0 });
  const packed = await openai.embeddings.create({ model: 'demo/embed', input: 'one two three', dimensions: 8 });
  const plain = await openai.embeddings.create({
    ...{ model: 'demo/embed', input: 'one two three', dimensions: 8 },
    encoding_format: 'float',
  });
  const [one, other] = [packed, plain].map(({ data }) => data[0]?.embedding ?? []);
  assert.equal(other?.length, 8);
  for (const [index, value] of (other ?? []).entries()) assert.ok(Math.abs(value - (one?.[index] ?? 9)) < 1e-6);
  assert.equal(demo.records.at(-1)?.charge, 450n);
});
