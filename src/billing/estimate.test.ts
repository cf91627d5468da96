/**
 * Goal: the gateway's own count is close to what a provider would have reported. Method: sizes of English texts
 * and the tokens that vendors reported for them, taken from recorded traffic.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NO_USAGE } from '../core/usage.ts';
import { countUsage } from './estimate.ts';

const NO_PROMPT = { promptBytes: 0, media: { images: 0, audioTokens: 0, fileCharacters: 0 } };
const NO_ANSWER = { outputBytes: 0, outputTokens: null };
const other = { upstreamModel: 'some-model' };

/** Answers in English: their model, UTF-8 bytes, and tokens as reported. */
const reported: readonly (readonly [upstreamModel: string, bytes: number, tokens: number])[] = [
  ['claude-sonnet-4-5', 1561, 406],
  ['claude-sonnet-4-5', 1656, 414],
  ['claude-haiku-4-5', 589, 147],
  ['claude-haiku-4-5', 366, 91],
  ['claude-haiku-4-5', 340, 77],
  ['anthropic/claude-sonnet-4.6', 407, 100],
  ['google/gemini-2.5-flash', 463, 99],
  ['google/gemini-2.5-flash', 505, 100],
  ['openai/o3', 454, 104],
  ['qwen/qwen3-32b', 720, 173],
];

test('an English answer is counted within a tenth of what the vendor reported', () => {
  for (const [upstreamModel, outputBytes, tokens] of reported) {
    const counted = countUsage(NO_PROMPT, { outputBytes, outputTokens: null }, { upstreamModel }).outputTokens;
    assert.ok(Math.abs(counted - tokens) <= tokens / 10, `${upstreamModel}: ${counted}, reported ${tokens}`);
  }
});

test('a prompt is counted with its JSON, in place of the marks of the model’s template', () => {
  const prompt = { ...NO_PROMPT, promptBytes: 6024 };
  const counted = countUsage(prompt, NO_ANSWER, { upstreamModel: 'claude-sonnet-4-0' }).inputTokens;
  assert.ok(Math.abs(counted - 1343) <= 134.3, String(counted));
});

test('with a known tokenizer, the answer is counted exactly', () => {
  const words = { upstreamModel: 'lorem', tokenizer: 'words' } as const;
  assert.equal(countUsage(NO_PROMPT, { outputBytes: 999, outputTokens: 7 }, words).outputTokens, 7);
  assert.equal(countUsage(NO_PROMPT, { outputBytes: 999, outputTokens: 0 }, words).outputTokens, 0);
});

test('images, audio and files are counted by typical sizes', () => {
  const prompt = { promptBytes: 0, media: { images: 2, audioTokens: 320, fileCharacters: 60_000 } };
  assert.deepEqual(countUsage(prompt, NO_ANSWER, other), { ...NO_USAGE, inputTokens: 5020, inputImageTokens: 2000 });
  assert.deepEqual(countUsage(NO_PROMPT, NO_ANSWER, other), NO_USAGE);
});
