/**
 * Goal: OpenAI's package has texts and images judged through the gateway as at OpenAI, for nothing where that is free, and otherwise for the
 * tokens. Method: the official package against a provider as strict as OpenAI, and the demo.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import OpenAI from 'openai';
import { type OpenGateway, openGateway } from '../support/open-gateway.ts';
import { TOKENS_OF_EACH } from '../support/operations/moderations.ts';
import { type OperationsBench, openOperationsBench } from '../support/operations/operations-bench.ts';

let bench: OperationsBench;
let demo: OpenGateway;
before(async () => {
  const [inputModalities, outputModalities] = [['text', 'image'], ['moderation']];
  const prices = { input: 0.1, output: 0 };
  bench = await openOperationsBench([
    { id: 'strict/free', upstream: 'omni', prices: 'free', inputModalities, outputModalities },
    { id: 'strict/counted', upstream: 'counted', prices, contextWindow: 100, outputModalities },
    { id: 'strict/uncounted', upstream: 'uncounted', prices, outputModalities },
    { id: 'strict/missing', upstream: 'missing', prices, outputModalities },
    { id: 'strict/writer', upstream: 'writer', prices, outputModalities: ['text'] },
  ]);
  demo = await openGateway({ demo: true });
});
after(async () => {
  await bench.close();
  await demo.close();
});

const IMAGE = { type: 'image_url' as const, image_url: { url: 'https://pages.example/a.png' } };

test('a text, several texts, and parts with images are judged, with the caller’s model, for nothing', async () => {
  for (const [input, flags] of [
    ['peace', [false]],
    [
      ['peace', 'violence'],
      [false, true],
    ],
    [[{ type: 'text' as const, text: 'violence' }, IMAGE], [true]],
  ] as const) {
    const asked = input as OpenAI.ModerationCreateParams['input'];
    const { results, model } = await bench.openai.moderations.create({ model: 'strict/free', input: asked });
    assert.deepEqual(
      results.map(({ flagged, categories }) => [flagged, categories.violence]),
      flags.map((flagged) => [flagged, flagged]),
    );
    assert.equal(model, 'strict/free');
    assert.deepEqual(bench.strict.last().body, { model: 'omni', input });
    const record = bench.records.at(-1);
    assert.deepEqual([record?.operation, record?.charge, record?.hold], ['moderations', 0n, 0n]);
  }
});

test('the bytes of the judgement pass', async () => {
  const answer = await (await bench.post('/v1/moderations', { model: 'strict/free', input: 'violence' })).text();
  assert.equal(
    answer,
    '{"id":"modr-strict","model":"strict/free","provider":"strict","results":[{"flagged":true,"categories":{"violence":true},"category_scores":{"violence":0.98765432109876},"category_applied_input_types":{"violence":["text"]}}]}',
  );
});

test('where tokens are charged, it is by the provider’s count, otherwise by the estimate, and never more than was held', async () => {
  const inputs = fc.oneof(
    fc.string({ minLength: 10, maxLength: 40 }),
    fc.array(fc.string({ minLength: 10, maxLength: 30 }), { minLength: 1, maxLength: 5 }),
  );
  await fc.assert(
    fc.asyncProperty(inputs, fc.constantFrom('counted', 'uncounted'), async (input, model) => {
      const response = await bench.post('/v1/moderations', { model: `strict/${model}`, input });
      assert.equal(response.status, 200);
      await response.text();
      const record = bench.records.at(-1);
      assert(record !== undefined);
      const { charge = null, hold, usage, usageSource, variance } = record;
      assert.ok(charge !== null && hold !== null && charge > 0n && charge <= hold);
      assert.equal(variance, 0n);
      assert.equal(usageSource, model === 'counted' ? 'reported' : 'estimated');
      if (model === 'counted')
        assert.equal(usage.inputTokens, TOKENS_OF_EACH * (Array.isArray(input) ? input.length : 1));
    }),
    { numRuns: 40 },
  );
});

test('what is no request for it, or for another model’s work, is refused before a provider is asked', async () => {
  const { length } = bench.strict.requests;
  for (const [path, body, param] of [
    ['moderations', { model: 'strict/free' }, 'input'],
    ['moderations', { model: 'strict/free', input: [] }, 'input'],
    ['moderations', { model: 'strict/free', input: 7 }, 'input'],
    ['moderations', { input: 'x' }, 'model'],
    ['moderations', { model: 'strict/free', input: 'x', service_tier: 'priority' }, 'service_tier'],
    ['moderations', { model: 'strict/counted', input: [IMAGE] }, 'input'],
    ['moderations', { model: 'strict/writer', input: 'x' }, 'model'],
    ['chat/completions', { model: 'strict/free', messages: [{ role: 'user', content: 'x' }] }, 'model'],
    ['completions', { model: 'strict/free', prompt: 'x' }, 'model'],
    ['rerank', { model: 'strict/free', query: 'x', documents: ['y'] }, 'model'],
  ] as const) {
    const response = await bench.post(`/api/v1/${path}`, body);
    assert.equal(response.status, 400, JSON.stringify(body));
    const { error } = (await response.json()) as { error: { param: string } };
    assert.equal(error.param, param, JSON.stringify(body));
  }
  assert.equal(bench.strict.requests.length, length);
});

test('an equal request is answered from the cache, if its caller wants that', async () => {
  const ask = () =>
    bench.post('/v1/moderations', { model: 'strict/free', input: 'again' }, { 'x-turnpike-cache': 'true' });
  const [first, second] = [await ask(), await ask()];
  assert.deepEqual([first.headers.get('x-turnpike-cache'), second.headers.get('x-turnpike-cache')], ['miss', 'hit']);
  assert.equal(await second.text(), await first.text());
});

test('a request that is sent again with its idempotency key is answered once', async () => {
  const { length } = bench.strict.requests;
  const ask = () =>
    bench.post('/v1/moderations', { model: 'strict/counted', input: 'once' }, { 'idempotency-key': 'judged-once' });
  const [first, second] = [await (await ask()).text(), await (await ask()).text()];
  assert.equal(second, first);
  assert.equal(bench.strict.requests.length, length + 1);
});

test('a refusal of the provider is the package’s error, and nothing is charged', async () => {
  await assert.rejects(
    () => bench.openai.moderations.create({ model: 'strict/missing', input: 'x' }),
    (error) => error instanceof OpenAI.APIError && error.status === 404,
  );
  assert.equal(bench.records.at(-1)?.charge ?? 0n, 0n);
});

test('the demo flags what names a category, and judges for nothing', async () => {
  const openai = new OpenAI({ baseURL: `${demo.url}/api/v1`, apiKey: demo.key, maxRetries: 0 });
  const { results } = await openai.moderations.create({
    model: 'demo/moderate',
    input: ['Roses are red', 'no violence here'],
  });
  assert.deepEqual(
    results.map(({ flagged, categories }) => [flagged, categories.violence, categories.hate]),
    [
      [false, false, false],
      [true, true, false],
    ],
  );
  assert.equal(demo.records.at(-1)?.charge, 0n);
});
