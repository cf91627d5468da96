/** Goal: counts are right in edge cases: absent, invalid, thoughts among the candidates' tokens. Method: messages one by one. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../../core/json-object.ts';
import { WholeAnswer } from '../../kit/relay/whole-answer.ts';
import { framesOf } from '../fixtures/read-fixture.ts';
import { EmbeddingMeter } from './embedding-meter.ts';
import { GeminiMeter } from './meter.ts';

const STOP = [{ content: { parts: [{ text: 'Hi' }] }, finishReason: 'STOP' }];

function meterOf(...messages: readonly JsonObject[]): GeminiMeter {
  const meter = new GeminiMeter();
  const bytes = Buffer.from(messages.map((message) => `data: ${JSON.stringify(message)}\r\n\r\n`).join(''));
  for (const frame of framesOf(bytes)) meter.frame(frame);
  return meter;
}

test('the last counts count, and a message without counts changes none', () => {
  const usageMetadata = { promptTokenCount: 5, candidatesTokenCount: 2 };
  const meter = meterOf(
    { candidates: [{}], usageMetadata: { promptTokenCount: 4 } },
    { candidates: STOP, usageMetadata },
    { candidates: [], usageMetadata: { trafficType: 'ON_DEMAND' } },
  );
  assert.deepEqual([meter.usage()?.inputTokens, meter.usage()?.outputTokens, meter.reported()], [5, 2, 'all']);
});

test('before its end an answer has no count of its output, afterwards an absent one is 0', () => {
  const usageMetadata = { promptTokenCount: 5 };
  assert.equal(meterOf({ candidates: [{}], usageMetadata }).reported(), 'prompt');
  const meter = meterOf({ candidates: STOP, usageMetadata });
  assert.deepEqual([meter.reported(), meter.usage()?.outputTokens], ['all', 0]);
});

test('a prompt whose count is null is not reported', () => {
  const usageMetadata = { promptTokenCount: null, candidatesTokenCount: 2 };
  assert.equal(meterOf({ candidates: STOP, usageMetadata }).reported(), 'output');
});

test('thoughts among the candidates’ tokens count once', () => {
  const counts = { promptTokenCount: 10, candidatesTokenCount: 30, thoughtsTokenCount: 20 };
  const of = (totalTokenCount: number) =>
    meterOf({ candidates: STOP, usageMetadata: { ...counts, totalTokenCount } }).usage();
  assert.deepEqual([of(60)?.outputTokens, of(40)?.outputTokens, of(40)?.reasoningTokens], [50, 30, 20]);
});

test('images are a part of the output, and audio of what was cached; without details, all but thoughts may be images', () => {
  const counts = {
    promptTokenCount: 90,
    cachedContentTokenCount: 50,
    candidatesTokenCount: 1_300,
    thoughtsTokenCount: 20,
  };
  const image = { inlineData: { mimeType: 'image/png', data: 'AAAA' } };
  const of = (usageMetadata: JsonObject, part: JsonObject = image) =>
    meterOf({ candidates: [{ content: { parts: [part] }, finishReason: 'STOP' }], usageMetadata }).usage();
  const detailed = of({
    ...counts,
    cacheTokensDetails: [{ modality: 'AUDIO', tokenCount: 40 }],
    candidatesTokensDetails: [{ modality: 'IMAGE', tokenCount: 1_290 }],
  });
  assert.partialDeepStrictEqual(detailed, { cacheReadTokens: 50, cachedAudioTokens: 40, outputTokens: 1_320 });
  assert.deepEqual([detailed?.outputImageTokens, detailed?.reasoningTokens], [1_290, 20]);
  assert.equal(of(counts)?.outputImageTokens, 1_300);
  assert.equal(of(counts, { text: 'none' })?.outputImageTokens, 0);
});

test('an invalid count makes its part unusable', () => {
  for (const [counts, reported] of [
    [{ promptTokenCount: -1, candidatesTokenCount: 2 }, 'output'],
    [{ promptTokenCount: 5, candidatesTokenCount: '2' }, 'prompt'],
    [{ promptTokenCount: 5, cachedContentTokenCount: 6, candidatesTokenCount: 1 }, 'output'],
    [{ promptTokenCount: 5, thoughtsTokenCount: 2 ** 40 }, 'prompt'],
  ] as const) {
    const meter = meterOf({ candidates: STOP, usageMetadata: counts });
    assert.deepEqual([meter.reported(), meter.usageInvalid()], [reported, true], JSON.stringify(counts));
  }
});

test('searches are billed by query since Gemini 3, before that by answer', () => {
  const candidates = [{ ...STOP[0], groundingMetadata: { webSearchQueries: ['a', 'b', ''] } }];
  const usageMetadata = { promptTokenCount: 1 };
  const of = (modelVersion: string) => meterOf({ candidates, usageMetadata, modelVersion }).usage()?.webSearches;
  assert.deepEqual([of('gemini-3.1-pro'), of('gemini-2.5-flash')], [2, 1]);
});

test('vectors are metered by the provider’s count, if it has one', () => {
  const meterFor = (answer: unknown) => {
    const meter = new EmbeddingMeter();
    meter.body(new WholeAnswer(Buffer.from(JSON.stringify(answer))));
    return [meter.state, meter.usage()?.inputTokens, meter.reported(), meter.usageInvalid()];
  };
  const embedding = { values: [1] };
  assert.deepEqual(meterFor({ embedding }), ['finished', undefined, 'none', false]);
  assert.deepEqual(meterFor({ embeddings: [embedding], usageMetadata: { promptTokenCount: 7 } }), [
    'finished',
    7,
    'all',
    false,
  ]);
  assert.deepEqual(meterFor({ embedding, usageMetadata: { promptTokenCount: -7 } }), [
    'finished',
    undefined,
    'none',
    true,
  ]);
  for (const other of [{ error: {} }, [], {}]) assert.equal(meterFor(other)[0], 'failed');
});
