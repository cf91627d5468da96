/**
 * Goal: no provider can report counts whose sums exceed what a database holds. Method: each dialect's meter gets a whole answer with absurd counts;
 * those count as not reported.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { COUNT_MAX } from '../core/usage.ts';
import { type ProviderDialectName, providerDialectNames, providerDialects } from './index.ts';
import { WholeAnswer } from './kit/relay/whole-answer.ts';

/** An answer whose usage is `count` tokens, in the places where the dialect reports them. */
const answers: { readonly [Name in ProviderDialectName]: (count: number) => object } = {
  'openai-chat': (count) => ({
    choices: [{ finish_reason: 'stop', message: { content: 'hi' } }],
    usage: { prompt_tokens: count, completion_tokens: count },
  }),
  'anthropic-messages': (count) => ({
    type: 'message',
    content: [{ type: 'text', text: 'hi' }],
    stop_reason: 'end_turn',
    usage: {
      input_tokens: 1,
      output_tokens: count,
      cache_read_input_tokens: count,
      iterations: [
        { type: 'compaction', input_tokens: count, output_tokens: count },
        { type: 'compaction', input_tokens: count, output_tokens: count },
      ],
    },
  }),
  'openai-responses': (count) => ({
    object: 'response',
    status: 'completed',
    output: [],
    usage: { input_tokens: count, output_tokens: count },
  }),
  gemini: (count) => ({
    candidates: [{ finishReason: 'STOP', content: { parts: [{ text: 'hi' }] } }],
    usageMetadata: { promptTokenCount: count, candidatesTokenCount: count },
  }),
  'bedrock-converse': (count) => ({
    output: { message: { content: [{ text: 'hi' }] } },
    stopReason: 'end_turn',
    usage: {
      inputTokens: count,
      outputTokens: count,
      cacheDetails: [
        { ttl: '1h', inputTokens: count },
        { ttl: '1h', inputTokens: count },
      ],
    },
  }),
};

for (const name of providerDialectNames)
  test(`${name}: counts above what any call has are not reported`, () => {
    const meterOf = (count: number) => {
      const meter = providerDialects[name].openMeter(PEEK as never);
      meter.body(new WholeAnswer(Buffer.from(JSON.stringify(answers[name](count)))));
      return meter;
    };
    assert.equal(meterOf(7).reported(), 'all');
    for (const count of [COUNT_MAX + 1, 2 ** 40, Number.MAX_SAFE_INTEGER, 2 ** 63]) {
      const meter = meterOf(count);
      assert.equal(meter.reported(), 'none', String(count));
      assert.ok(meter.usageInvalid());
      for (const tokens of Object.values(meter.usage() ?? {})) assert.ok(tokens <= COUNT_MAX, String(tokens));
    }
    // The largest ones are within what four thousand million calls may add up to.
    for (const tokens of Object.values(meterOf(COUNT_MAX).usage() ?? {})) assert.ok(tokens <= 2 * COUNT_MAX);
  });

const PEEK = { model: 'a', stream: false };
