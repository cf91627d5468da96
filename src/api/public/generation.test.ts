/** Goal: a permitted key finds a call by any of its ids, with its cost to the pico-USD. Method: the SDK's schema, records made by hand. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GenerationResponse$inboundSchema } from '@openrouter/sdk/models/generationresponse.js';
import { record } from '../../../test/support/control-services.ts';
import type { Key } from '../../accounts/keys.ts';
import type { Prices } from '../../catalog/model.ts';
import { accountId, generationId, keyId, priceVersionId, projectId, requestId } from '../../core/ids.ts';
import { nanoUsd, picoUsd } from '../../core/money.ts';
import { NO_USAGE } from '../../core/usage.ts';
import type { CallRecord } from '../../stats/ports.ts';
import { generation } from './generation.ts';
import type { Query } from './query.ts';

const inference = { accountId: accountId(1), projectId: projectId(1), kind: 'inference' } as Key;
const management: Key = { ...inference, projectId: projectId(2), kind: 'management' };

const call: CallRecord = {
  ...record(Date.UTC(2026, 10, 21, 12), 90_006n),
  keyId: keyId(7),
  usage: { ...NO_USAGE, inputTokens: 10, cacheReadTokens: 5, outputTokens: 7, reasoningTokens: 3 },
  priceVersion: priceVersionId(4),
  cost: nanoUsd(136_501n),
  hold: nanoUsd(9_000_000n),
  charge: nanoUsd(136_501n),
  upstreamId: 'msg_01',
  upstreamDialect: 'anthropic-messages',
  finishReason: 'max_tokens',
  warnings: ['the field "seed" was left out'],
};

const prices: Prices = {
  input: picoUsd(3_000_000n),
  output: picoUsd(15_000_000n),
  cacheRead: picoUsd(300_100n),
  cacheWrite: null,
  cacheWrite1h: null,
  inputAudio: null,
  outputAudio: null,
  cacheReadAudio: null,
  inputImage: null,
  outputImage: null,
  reasoning: null,
  image: null,
  request: null,
  webSearch: null,
  fileSearch: null,
  codeInterpreter: null,
  units: [],
  tiers: [],
};

test('the OpenRouter SDK accepts the answer', async () => {
  const { data } = GenerationResponse$inboundSchema.parse(JSON.parse(await text(inference, call)));
  assert.equal(data.id, generationId(call.callId));
  assert.equal(data.totalCost, 0.000136501);
  assert.deepEqual([data.tokensPrompt, data.tokensCompletion], [15, 7]);
  assert.deepEqual([data.nativeTokensCached, data.nativeTokensReasoning], [5, 3]);
  assert.deepEqual([data.finishReason, data.nativeFinishReason], ['length', 'max_tokens']);
  assert.deepEqual([data.latency, data.generationTime], [20, 9]);
  assert.equal(data.providerResponses?.[0]?.status, 200);
  assert.equal(data.cancelled, false);
});

test('each price line has what was counted, its price, and its cost', async () => {
  const { data } = JSON.parse(await text(inference, call)) as { data: Record<string, unknown> };
  assert.deepEqual(data['price_lines'], [
    { what: 'input', count: 10, price: '0.000003', cost: 0.00003 },
    { what: 'cache_read', count: 5, price: '0.0000003001', cost: 0.0000015005 },
    { what: 'output', count: 7, price: '0.000015', cost: 0.000105 },
  ]);
  assert.deepEqual([data['cost'], data['hold'], data['charge']], [0.000136501, 0.009, 0.000136501]);
  assert.deepEqual([data['ending'], data['usage_source'], data['key_id']], ['complete', 'reported', 7]);
  assert.deepEqual(data['warnings'], ['the field "seed" was left out']);
  assert.deepEqual(data['timings'], { first_byte_ms: 11, total_ms: 20 });
});

test('a call is found by each of its ids', async () => {
  for (const id of [generationId(call.callId), requestId(call.callId), call.callId, 'msg_01'])
    assert.equal(JSON.parse(await text(inference, call, { id })).data.id, generationId(call.callId), id);
});

test('a call that was not charged has no usage cost, but reports the cost of the provider’s tokens', async () => {
  const failed: CallRecord = { ...call, ending: 'upstream_failed', charge: nanoUsd(0n), fault: nanoUsd(136_501n) };
  const { data } = JSON.parse(await text(inference, failed));
  assert.deepEqual([data.total_cost, data.usage, data.cost, data.ending], [0, 0, 0.000136501, 'upstream_failed']);
});

test('the model as the caller wrote it is there if it is not the id of the one that served', async () => {
  const named = async (asked: string | null) =>
    (JSON.parse(await text(inference, { ...call, asked })) as { data: Record<string, unknown> }).data['asked_model'];
  assert.deepEqual([await named('team/default'), await named(null)], ['team/default', null]);
});

test('a call whose caller left is cancelled', async () => {
  const { data } = JSON.parse(await text(inference, { ...call, ending: 'caller_left', finishReason: null }));
  assert.deepEqual([data.cancelled, data.finish_reason], [true, null]);
});

const words: [native: string, word: string][] = [
  ['stop', 'stop'],
  ['end_turn', 'stop'],
  ['tool_use', 'tool_calls'],
  ['tool_calls', 'tool_calls'],
  ['refusal', 'content_filter'],
  ['error', 'error'],
];

test('finish reasons use OpenAI’s words', async () => {
  for (const [native, word] of words)
    assert.equal(JSON.parse(await text(inference, { ...call, finishReason: native })).data.finish_reason, word, native);
});

test('a call without details still reports its money, and the rest is null', async () => {
  const bare: CallRecord = {
    ...call,
    dialect: '',
    upstreamDialect: null,
    upstreamId: null,
    status: 0,
    finishReason: null,
    attempts: [],
    warnings: [],
    firstByteMs: null,
    durationMs: 0,
  };
  const body = JSON.parse(await text(inference, bare));
  const { data } = GenerationResponse$inboundSchema.parse(body);
  assert.equal(data.totalCost, 0.000136501);
  assert.deepEqual([data.streamed, data.latency, data.generationTime, data.providerResponses], Array(4).fill(null));
  assert.deepEqual([body.data.timings, body.data.status, body.data.dialect], [null, null, null]);
});

test('without a price there are no lines and no cost', async () => {
  const { data } = JSON.parse(await text(inference, { ...call, priceVersion: null, cost: null, hold: null }));
  assert.deepEqual([data.price_lines, data.cost, data.hold], [null, null, null]);
});

test('a key sees its project’s calls, a management key its account’s', async () => {
  const elsewhere: CallRecord = { ...call, projectId: projectId(3) };
  const foreign: CallRecord = { ...call, accountId: accountId(2) };
  for (const id of [generationId(call.callId), 'msg_01']) {
    await text(management, elsewhere, { id });
    await assert.rejects(text(inference, elsewhere, { id }), { code: 'not_found' }, id);
    await assert.rejects(text(inference, foreign, { id }), { code: 'not_found' }, id);
    await assert.rejects(text(management, foreign, { id }), { code: 'not_found' }, id);
  }
});

test('an id in our format, or a very long one, is not searched as a provider’s id', async () => {
  let searches = 0;
  const facts = {
    stats: {
      call: async () => null,
      callByUpstreamId: async () => {
        searches += 1;
        return null;
      },
    },
    prices: { read: async () => null },
  };
  for (const id of [generationId(call.callId), requestId(call.callId), 'm'.repeat(257)])
    await assert.rejects(generation(inference, { id }, facts), { code: 'not_found' });
  assert.equal(searches, 0);
});

test('without an id, or with two, nothing is read', async () => {
  await assert.rejects(text(inference, call, {}), { code: 'missing_field', param: 'id' });
  await assert.rejects(text(inference, call, { id: ['one', 'two'] }), { code: 'invalid_value', param: 'id' });
});

/** The answer if `stored` is the only call. */
async function text(key: Key, stored: CallRecord, query: Query = { id: generationId(stored.callId) }): Promise<string> {
  const answer = await generation(key, query, {
    stats: {
      call: async (id) => (id === stored.callId ? stored : null),
      callByUpstreamId: async (id, owner) =>
        id === stored.upstreamId &&
        owner.accountId === stored.accountId &&
        (owner.projectId ?? stored.projectId) === stored.projectId
          ? stored
          : null,
    },
    prices: { read: async (id) => (id === stored.priceVersion ? prices : null) },
  });
  return JSON.stringify(answer);
}

test('attempts with an own credential say so', async () => {
  const { data } = JSON.parse(await text(inference, { ...call, ownCredential: true }));
  assert.equal(data.is_byok, true);
  assert.equal(data.provider_responses[0].is_byok, true);
});
