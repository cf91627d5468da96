/**
 * Goal: the dialect keeps the contract of its family, with streams and answers of the servers that speak it, each with its peculiarities.
 * Method: fixtures written by hand.
 */
import { readFileSync } from 'node:fs';
import { NO_USAGE } from '../../core/usage.ts';
import { type AnswerFixture, dialectContract, type Metered } from '../contract.ts';
import { openaiResponses } from './openai-responses.ts';
import { usualQuirks } from './quirks.ts';

function fixture(name: string, metered: Metered): AnswerFixture {
  const bytes = readFileSync(new URL(`fixtures/${name}`, import.meta.url));
  const request = JSON.stringify({ model: 'vendor/x', input: 'hi', stream: name.endsWith('.sse') });
  return { name, bytes, upstreamModel: 'gpt-6-mini-2026-09-01', request, metered };
}

const bytesOf = (...texts: readonly string[]) => Buffer.byteLength(texts.join(''));
const finished = { state: 'finished', finishReason: 'completed', upstreamId: 'resp_7t1' } as const;
const ENCRYPTED = 'gAAAencrypted-thought-1';
const SUMMARY = '**Looking up**Two cities.';
const USAGE = { ...NO_USAGE };

const data = (json: object) => `data: ${JSON.stringify(json)}\n\n`;
const BUSY = { code: 'server_is_overloaded', message: 'The server is overloaded.' };

/** What follows an `error` event. */
function failed(error: object, sequence_number: number): string {
  const response = {
    ...{ id: '', object: 'response', created_at: 0, status: 'failed', error },
    ...{ incomplete_details: null, model: '', output: [], usage: null },
  };
  const event = { type: 'response.failed', response, sequence_number };
  return `event: response.failed\n${data(event)}`;
}

dialectContract(openaiResponses, {
  quirks: usualQuirks,
  requests: [
    '{"model":"vendor/x","input":"hi"}',
    '{ "max_output_tokens" : 9000 ,\n "input":[{"role":"user","content":"h\\u00e9"}], "model" :\t"vendor\\/x" , "odd":12345678901234567890 }',
    '{"input":[{"role":"user","content":"x"}],"model":"vendor/x","max_output_tokens":null,"new_field":{"model":"inner"}}',
    JSON.stringify({
      model: 'vendor/x',
      store: false,
      instructions: 'Be brief.',
      input: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hello' }] }],
      tools: [{ type: 'function', name: 'f', strict: false, parameters: { type: 'object', properties: {} } }],
    }),
  ],
  streams: [
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
  answers: [
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
  errors: [
    { event: data({ type: 'error', ...BUSY, param: null, sequence_number: 4 }), isSafe: true, adds: failed(BUSY, 5) },
    { event: data({ type: 'error', error: { type: 'x', ...BUSY } }), isSafe: true, adds: failed(BUSY, 1) },
    { event: data({ type: 'response.failed', response: { status: 'failed', error: BUSY } }), isSafe: true, adds: null },
    {
      event: data({
        type: 'error',
        code: 'rate_limit_exceeded',
        message: 'Rate limit reached in organization org-Zq81kXw0P.',
      }),
      isSafe: false,
      adds: null,
    },
    {
      event: data({ type: 'error', error: { code: 'insufficient_quota', message: 'The credit is gone' } }),
      isSafe: false,
      adds: null,
    },
    {
      event: data({
        type: 'response.failed',
        response: { error: { code: 'x', message: `Bad key ${'sk-proj-'}Zq81kXw0Planted` } },
      }),
      isSafe: false,
      adds: null,
    },
  ],
});
