/**
 * Goal: the next turn of a conversation goes where it was answered, and one with reasoning to the vendor that reads it; what goes elsewhere says
 * so, or is refused if the request forbids it. Method: the real program with two providers of one model, one of which fails when told to.
 */
import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { ManualClock } from '../../src/core/clock.ts';
import type { Json } from '../dashboard/ask.ts';
import { errorCode, OPEN_MODEL, openBenchWith, scriptedProvider } from '../support/open-gateway.ts';
import { startScriptedUpstream } from '../support/scripted-upstream.ts';
import { answerWell, refuse } from '../support/upstream-scripts.ts';

const BROKEN = refuse(500, { error: { message: 'no' } });
const first = await startScriptedUpstream(answerWell);
const second = await startScriptedUpstream(answerWell);
const clock = new ManualClock(Date.UTC(2026, 10, 23));
const bench = await openBenchWith(
  first,
  {
    providers: [
      { ...scriptedProvider('first', first.origin), dialects: ['openai-chat'] },
      { ...scriptedProvider('second', second.origin), dialects: ['openai-chat'] },
      { ...scriptedProvider('claude', second.origin), dialects: ['anthropic-messages'], models: [signedModel()] },
      { ...scriptedProvider('chat', first.origin), kind: 'groq', dialects: ['openai-chat'], models: [signedModel()] },
    ],
  },
  { clock },
);
after(async () => {
  await bench.close();
  await second.close();
});
beforeEach(() => {
  // So that the budget for retries is whole.
  clock.advance(11_000);
  first.play(answerWell);
  second.play(answerWell);
});

for (const [what, fields, headers] of [
  ['x-session-id', {}, { 'x-session-id': 'one' }],
  ['x-claude-code-session-id', {}, { 'x-claude-code-session-id': 'two' }],
  ['session_id', { session_id: 'three' }, {}],
  ['prompt_cache_key', { prompt_cache_key: 'four' }, {}],
  ['metadata.user_id', { metadata: { user_id: 'five' } }, {}],
] as const)
  test(`a conversation named by ${what} goes on where it was answered`, async () => {
    first.play(BROKEN);
    assert.equal(await providerOf({ ...body(), ...fields }, headers), 'second');
    first.play(answerWell);
    for (let turn = 0; turn < 3; turn += 1) assert.equal(await providerOf({ ...body(), ...fields }, headers), 'second');
    assert.equal(await providerOf(body()), 'first', 'a call without a name goes where it would');
    assert.equal(await providerOf({ ...body(), session_id: 'another' }), 'first');
  });

test('it goes back if the other one fails, and stays there', async () => {
  const headers = { 'x-session-id': 'moves' };
  first.play(BROKEN);
  assert.equal(await providerOf(body(), headers), 'second');
  first.play(answerWell);
  second.play(BROKEN);
  assert.equal(await providerOf(body(), headers), 'first');
  second.play(answerWell);
  assert.equal(await providerOf(body(), headers), 'first');
});

test('an order that the request states comes before the conversation', async () => {
  const headers = { 'x-session-id': 'ordered' };
  assert.equal(await providerOf({ ...body(), provider: { order: ['second'] } }, headers), 'second');
  assert.equal(await providerOf(body(), headers), 'second');
  assert.equal(await providerOf({ ...body(), provider: { order: ['first'] } }, headers), 'first');
});

test('reasoning signed by Anthropic goes to the provider that reads it, although another speaks the caller’s format', async () => {
  assert.equal(await providerOf(signedBody(null)), 'chat');
  const { record } = await call(signedBody('anthropic-claude-v1'));
  assert.equal(record.provider, 'claude');
  assert.deepEqual(
    record.warnings.filter((text) => /reasoning/.test(text)),
    [],
  );
  assert.match(String(second.exchanges.at(-1)?.request.body), /"signature":"EqQBCgIYAhIkSIGNED"/);
});

test('if that provider is down, the reasoning is left out with a warning', async () => {
  second.play(BROKEN);
  const { record } = await call(signedBody('anthropic-claude-v1'));
  assert.equal(record.provider, 'chat');
  assert.ok(record.warnings.some((text) => /^reasoning from other providers was left out/.test(text)));
  assert.doesNotMatch(String(first.exchanges.at(-1)?.request.body), /SIGNED/);
});

test('a request that forbids it gets 503 instead, and the other provider is not asked', async () => {
  second.play(BROKEN);
  const asked = first.exchanges.length;
  for (const [fields, headers] of [
    [{}, { 'x-turnpike-keep-thoughts': 'true' }],
    [{ provider: { allow_fallbacks: false } }, {}],
  ] as const) {
    const response = await bench.post(
      '/api/v1/chat/completions',
      { ...signedBody('anthropic-claude-v1'), ...fields },
      headers,
    );
    assert.deepEqual([response.status, errorCode(await response.json())], [503, 'model_unavailable']);
  }
  assert.equal(first.exchanges.length, asked);
  second.play(answerWell);
  const kept = await call(signedBody('anthropic-claude-v1'), { 'x-turnpike-keep-thoughts': 'true' });
  assert.equal(kept.record.provider, 'claude');
});

test('reasoning that no provider of the model reads is left out, or the request refused before anything is held', async () => {
  const foreign = signedBody('xai-responses-v1');
  assert.equal((await call(foreign)).record.provider, 'chat');
  const response = await bench.post('/api/v1/chat/completions', foreign, { 'x-turnpike-keep-thoughts': 'true' });
  assert.deepEqual([response.status, errorCode(await response.json())], [503, 'model_unavailable']);
  // Without fallbacks, but with nobody who could read it, the caller has changed the model.
  assert.equal((await call({ ...foreign, provider: { allow_fallbacks: false } })).record.provider, 'chat');
});

async function call(request: object, headers: Readonly<Record<string, string>> = {}) {
  const recorded = bench.nextRecord();
  const response = await bench.post('/api/v1/chat/completions', request, headers);
  const answer = (await response.json()) as Json;
  assert.equal(response.status, 200, JSON.stringify(answer));
  return { answer, record: await recorded };
}

async function providerOf(request: object, headers: Readonly<Record<string, string>> = {}): Promise<string> {
  return (await call(request, headers)).record.provider;
}

function body() {
  return { model: OPEN_MODEL, max_tokens: 9, messages: [{ role: 'user', content: 'hi' }] };
}

/** A turn with reasoning that this vendor signed; null: without any. */
function signedBody(format: string | null) {
  const details = [{ type: 'reasoning.text', text: 'Hm.', signature: 'EqQBCgIYAhIkSIGNED', format, index: 0 }];
  const turn = { role: 'assistant', content: 'Hi.', ...(format === null ? {} : { reasoning_details: details }) };
  return {
    model: 'scripted/thinker',
    max_tokens: 2000,
    reasoning: { max_tokens: 1024 },
    messages: [{ role: 'user', content: 'hi' }, turn, { role: 'user', content: 'go on' }],
  };
}

function signedModel() {
  return { id: 'scripted/thinker', upstream: 'thinker-1', prices: { input: 1, output: 5 }, outputCap: 128_000 };
}
