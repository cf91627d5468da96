/**
 * Goal: the dialect keeps the contract of its family, with streams and answers of the servers that speak it, each with its peculiarities.
 * Method: fixtures written by hand.
 */
import { readFileSync } from 'node:fs';
import { NO_USAGE } from '../../core/usage.ts';
import { callerContract, type Metered, providerContract } from '../contract.ts';
import { PEEK } from '../contract-fixture.ts';
import type { ProviderAnswer } from '../provider-contract.ts';
import { openaiResponses } from './openai-responses.ts';

function fixture(name: string, metered: Metered): ProviderAnswer {
  return { name, bytes: readFileSync(new URL(`fixtures/${name}`, import.meta.url)), peek: PEEK, metered };
}

const bytesOf = (...texts: readonly string[]) => Buffer.byteLength(texts.join(''));
const finished = { state: 'finished', finishReason: 'completed', upstreamId: 'resp_7t1' } as const;
const ENCRYPTED = 'gAAAencrypted-thought-1';
const SUMMARY = '**Looking up**Two cities.';
const USAGE = { ...NO_USAGE };

providerContract(
  openaiResponses,
  [
    fixture('text.sse', {
      ...finished,
      usage: {
        ...USAGE,
        inputTokens: 76,
        cacheReadTokens: 1024,
        cacheWriteTokens: 100,
        outputTokens: 19,
        reasoningTokens: 7,
      },
      outputBytes: bytesOf('Grüße aus "München" — 👋\n'),
    }),
    fixture('reasoning-tools.sse', {
      ...finished,
      usage: { ...USAGE, inputTokens: 90, outputTokens: 84, reasoningTokens: 50 },
      outputBytes: bytesOf(SUMMARY, ENCRYPTED, '{"city":"Paris"}{"city":"Rome"}'),
    }),
    fixture('rotated-ids.sse', {
      ...finished,
      usage: { ...USAGE, inputTokens: 30, outputTokens: 20 },
      outputBytes: bytesOf('{"ok":true}', 'SELECT "a"\n FROM t', 'Done.'),
    }),
    fixture('refusal.sse', {
      ...finished,
      usage: { ...USAGE, inputTokens: 12, outputTokens: 9 },
      outputBytes: bytesOf('I cannot help with that.'),
    }),
    fixture('incomplete.sse', {
      ...finished,
      finishReason: 'max_output_tokens',
      usage: { ...USAGE, inputTokens: 11, outputTokens: 16, reasoningTokens: 8 },
      outputBytes: bytesOf('Once upon'),
    }),
    fixture('error-then-failed.sse', { ...finished, state: 'failed', finishReason: null, usage: null, outputBytes: 0 }),
    fixture('web-search.sse', {
      ...finished,
      usage: { ...USAGE, inputTokens: 900, outputTokens: 40, reasoningTokens: 20, webSearches: 1 },
      outputBytes: bytesOf('Toll roads cost.'),
    }),
    fixture('raw-thoughts.sse', {
      ...finished,
      upstreamId: 'gen-raw',
      usage: { ...USAGE, inputTokens: 20, outputTokens: 9, reasoningTokens: 6 },
      outputBytes: bytesOf('Think first.', 'Hi'),
    }),
    fixture('empty.sse', { ...finished, state: 'empty', usage: { ...USAGE, inputTokens: 5 }, outputBytes: 0 }),
  ],
  [
    fixture('whole.json', {
      ...finished,
      usage: { ...USAGE, inputTokens: 17, cacheWriteTokens: 60, outputTokens: 33, reasoningTokens: 12 },
      outputBytes: bytesOf(SUMMARY, ENCRYPTED, 'Hello "you" é', '{"city":"Paris"}', 'SELECT "a"\n FROM t'),
    }),
    fixture('cached-outside.json', {
      ...finished,
      finishReason: 'content_filter',
      usage: { ...USAGE, inputTokens: 47, cacheReadTokens: 244, outputTokens: 20, reasoningTokens: 4 },
      outputBytes: bytesOf('{"half":'),
    }),
  ],
  (what) => `openai-responses: ${what}`,
);

const requests = [
  { model: 'vendor/one', input: 'Hello' },
  {
    model: 'vendor/one',
    stream: true,
    store: false,
    instructions: 'Be brief.',
    input: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hello' }] }],
    tools: [{ type: 'function', name: 'f', strict: false, parameters: { type: 'object', properties: {} } }],
  },
];

callerContract(
  openaiResponses,
  requests.map((request) => JSON.stringify(request)),
  (what) => `openai-responses: ${what}`,
);
