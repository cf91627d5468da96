/** Goal: counters are disjoint, and a vendor's count is used only if it is valid. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { completionTokens, NO_USAGE, promptTokens, readCount } from './usage.ts';

test('prompt and completion tokens add each counter once, images being part of the input and of the output, reasoning of the output, audio of the cache', () => {
  const usage = {
    inputTokens: 1,
    cacheReadTokens: 10,
    cacheWriteTokens: 100,
    cacheWrite1hTokens: 1_000,
    inputAudioTokens: 10_000,
    outputTokens: 7,
    outputAudioTokens: 70,
    cachedAudioTokens: 4,
    inputImageTokens: 1,
    outputImageTokens: 2,
    reasoningTokens: 5,
    webSearches: 3,
    fileSearches: 0,
    codeContainers: 0,
    units: 0,
    unitLine: 0,
  };
  assert.equal(promptTokens(usage), 11_111);
  assert.equal(completionTokens(usage), 77);
  assert.equal(promptTokens(NO_USAGE) + completionTokens(NO_USAGE), 0);
});

test('only whole numbers from zero up are counts', () => {
  for (const value of [0, 1, 123_456_789]) assert.equal(readCount(value), value);
  for (const value of [-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 1e30, '3', null, undefined, {}, true])
    assert.equal(readCount(value), null);
});
