/**
 * Goal: `@openrouter/sdk` works at `{base}/api/v1`; it validates every answer by its own schemas.
 * Method: the package itself, a running gateway, and the built-in provider.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { OpenRouter } from '@openrouter/sdk';
import { UnauthorizedResponseError } from '@openrouter/sdk/models/errors';
import { newSecret } from '../../src/accounts/secret/key-secret.ts';
import { startGateway, type TestGateway } from '../support/start-gateway.ts';

let gateway: TestGateway;
let client: OpenRouter;
before(async () => {
  gateway = await startGateway();
  client = connect(gateway.key);
});
after(() => gateway.stop());

function connect(apiKey: string): OpenRouter {
  return new OpenRouter({ serverURL: `${gateway.url}/api/v1`, apiKey, retryConfig: { strategy: 'none' } });
}

const messages = [{ role: 'user' as const, content: 'three small words' }];

test('an answer passes its validation, with usage and cost', async () => {
  const answer = await client.chat.send({ chatRequest: { model: 'demo/echo', messages } });
  assert.ok('choices' in answer);
  assert.equal(answer.choices[0]?.message?.content, 'three small words');
  assert.equal(answer.usage?.totalTokens, 6);
  assert.equal(answer.usage?.cost, 0.000018);
});

test('every chunk of a stream passes its validation, and the last one brings usage without being asked', async () => {
  const stream = await client.chat.send({ chatRequest: { model: 'demo/echo', messages, stream: true } });
  assert.ok(Symbol.asyncIterator in stream);
  const chunks = await Array.fromAsync(stream);
  assert.equal(chunks.map((chunk) => chunk.choices[0]?.delta?.content ?? '').join(''), 'three small words');
  assert.equal(chunks.at(-1)?.usage?.totalTokens, 6);
});

test('so it does if usage was requested', async () => {
  const chatRequest = { model: 'demo/echo', messages, stream: true as const, streamOptions: { includeUsage: true } };
  const stream = await client.chat.send({ chatRequest });
  assert.ok(Symbol.asyncIterator in stream);
  assert.equal((await Array.fromAsync(stream)).at(-1)?.usage?.totalTokens, 6);
});

test('the current key passes its validation', async () => {
  const { data } = await client.apiKeys.getCurrentKeyMetadata();
  assert.equal(typeof data.label, 'string');
  assert.ok(!gateway.key.includes(data.label));
  assert.equal(data.isFreeTier, false);
});

test('the list of models passes its validation', async () => {
  const ids: string[] = [];
  for await (const page of await client.models.list()) ids.push(...page.result.data.map((model) => model.id));
  assert.ok(ids.includes('demo/echo'));
});

test('an unknown key is its own UnauthorizedResponseError, on both kinds of routes', async () => {
  const stranger = connect(newSecret().reveal());
  await assert.rejects(stranger.apiKeys.getCurrentKeyMetadata(), UnauthorizedResponseError);
});

test('the endpoints of a model pass its validation, before a call and after a stream', async () => {
  const read = async () => (await client.endpoints.list({ author: 'demo', slug: 'echo' })).data.endpoints[0];
  const stream = await client.chat.send({ chatRequest: { model: 'demo/echo', messages, stream: true } });
  assert.ok(Symbol.asyncIterator in stream);
  await Array.fromAsync(stream);
  const endpoint = await read();
  assert.deepEqual([endpoint?.tag, endpoint?.uptimeLast30m, endpoint?.status], ['demo', 100, 0]);
  assert.ok((endpoint?.latencyLast30m?.p50 ?? 0) > 0);
  assert.ok((endpoint?.throughputLast30m?.p50 ?? 0) > 0);
  const { data } = await client.endpoints.list({ author: 'demo', slug: 'lorem' });
  assert.equal(data.endpoints[0]?.latencyLast30m, null);
});

test('the list of providers, and the count of models, pass its validation', async () => {
  const { data } = await client.providers.list();
  assert.deepEqual(
    data.map(({ slug, name, privacyPolicyUrl }) => [slug, name, privacyPolicyUrl]),
    [['demo', 'Demo', null]],
  );
  const counted = await client.models.count({ outputModalities: 'text' });
  assert.ok((counted.data.count ?? 0) > 1);
});

test('its filters and orders of the list of models are applied', async () => {
  const ids: string[] = [];
  const asked = { q: 'demo/', sort: 'newest' as const, maxPrice: 2, context: 1_000, inputModalities: 'text' };
  for await (const page of await client.models.list(asked)) ids.push(...page.result.data.map((model) => model.id));
  assert.ok(ids.includes('demo/echo'), ids.join(' '));
});
