/**
 * Goal: the dialect keeps the contract of its family, with streams and answers of the vendors that speak it, each with its peculiarities.
 * Method: fixtures written by hand.
 */
import { readFileSync } from 'node:fs';
import { NO_USAGE } from '../../core/usage.ts';
import { type AnswerFixture, dialectContract, type Metered } from '../contract.ts';
import { openaiChat } from './openai-chat.ts';
import { usualQuirks } from './quirks.ts';

function fixture(file: string, upstreamModel: string, metered: Metered, choices = 1): AnswerFixture {
  const bytes = readFileSync(new URL(`fixtures/${file}`, import.meta.url));
  const stream = file.endsWith('.sse');
  const request = JSON.stringify({
    model: 'vendor/x',
    messages: [{ role: 'user', content: 'hi' }],
    stream,
    n: choices,
  });
  return { name: file, bytes, upstreamModel, request, metered, alwaysEdited: ALWAYS_EDITED.has(file) };
}

/** Azure's first chunk names no model, and OpenRouter's usage has a cost: both are set to the caller's. */
const ALWAYS_EDITED: ReadonlySet<string> = new Set(['azure.sse', 'openrouter.sse']);
const data = (json: string) => `data: ${json}\n\n`;
const TEXT = 'Grüße aus "München" — 👋\n';

dialectContract(openaiChat, {
  quirks: { ...usualQuirks, outputCapFields: ['max_completion_tokens', 'max_tokens'] },
  requests: [
    '{"model":"vendor/x","messages":[{"role":"user","content":"hi"}]}',
    '{ "max_tokens" : 9000 ,\n "messages":[{"role":"user","content":"h\\u00e9"}], "model" :\t"vendor\\/x" , "seed":12345678901234567890 }',
    '{"messages":[{}],"model":"vendor/x","max_completion_tokens":null,"max_tokens":null,"new_field":{"model":"inner"}}',
    '{"max_completion_tokens":5000,"messages":[{}],"model":"vendor/x"}',
  ],
  streams: [
    fixture('text.sse', 'gpt-5-mini-2026-01-10', {
      state: 'finished',
      usage: {
        ...NO_USAGE,
        inputTokens: 76,
        cacheReadTokens: 1024,
        cacheWriteTokens: 100,
        outputTokens: 19,
        reasoningTokens: 7,
      },
      outputBytes: Buffer.byteLength(TEXT),
      finishReason: 'stop',
      upstreamId: 'chatcmpl-Ax71',
    }),
    fixture('parallel-tools.sse', 'gpt-5-mini-2026-01-10', {
      state: 'finished',
      usage: { ...NO_USAGE, inputTokens: 53, outputTokens: 31 },
      outputBytes: '{"city":"Paris"}{}'.length,
      finishReason: 'tool_calls',
      upstreamId: 'chatcmpl-T2',
    }),
    fixture(
      'two-choices.sse',
      'gpt-5-mini-2026-01-10',
      {
        state: 'finished',
        usage: { ...NO_USAGE, inputTokens: 9, outputTokens: 4 },
        outputBytes: 'HeadsNo.'.length,
        finishReason: 'stop',
        upstreamId: 'chatcmpl-N2',
      },
      2,
    ),
    fixture('openrouter.sse', 'vendor/thinker-2', {
      state: 'finished',
      usage: { ...NO_USAGE, inputTokens: 43, outputTokens: 36, reasoningTokens: 30, webSearches: 2 },
      outputBytes: 'Hm, Yes.'.length,
      finishReason: 'stop',
      upstreamId: 'gen-1790000004-zz',
    }),
    fixture('azure.sse', 'gpt-5-nano-2025-08-07', {
      state: 'finished',
      usage: { ...NO_USAGE, inputTokens: 15, outputTokens: 12, reasoningTokens: 8 },
      outputBytes: 'Ciao'.length,
      finishReason: 'stop',
      upstreamId: 'chatcmpl-Az',
    }),
    fixture('groq.sse', 'llama-4-8b', {
      state: 'finished',
      usage: { ...NO_USAGE, inputTokens: 210, outputTokens: 15 },
      outputBytes: 'Wellok'.length,
      finishReason: 'stop',
      upstreamId: 'chatcmpl-gr',
    }),
    fixture('usage-on-every-chunk.sse', 'glm-5', {
      state: 'finished',
      usage: { ...NO_USAGE, inputTokens: 4, cacheReadTokens: 4, outputTokens: 3 },
      outputBytes: 'SoAB'.length,
      finishReason: 'stop',
      upstreamId: '20261121-glm',
    }),
    fixture('no-done-crlf.sse', 'gemini-3-flash', {
      state: 'finished',
      usage: { ...NO_USAGE, inputTokens: 35, outputTokens: 74, reasoningTokens: 62 },
      outputBytes: 'Twelve men'.length,
      finishReason: 'stop',
      upstreamId: 'aZb9',
    }),
    fixture('error-in-stream.sse', 'vendor/thinker-2', {
      state: 'failed',
      usage: null,
      outputBytes: 'Half'.length,
      finishReason: 'error',
      upstreamId: 'gen-e',
    }),
    fixture('empty.sse', 'tiny', {
      state: 'empty',
      usage: { ...NO_USAGE, inputTokens: 4 },
      outputBytes: 0,
      finishReason: null,
      upstreamId: 'cmpl-0',
    }),
    fixture('content-parts.sse', 'magistral-x', {
      state: 'finished',
      usage: { ...NO_USAGE, inputTokens: 4, cacheReadTokens: 6, outputTokens: 46 },
      outputBytes: 'Let me'.length,
      finishReason: 'stop',
      upstreamId: 'm1',
    }),
  ],
  errors: [
    { event: data('{"error":{"message":"no","code":503}}'), isSafe: true, adds: null },
    { event: data('{"error":"no"}'), isSafe: true, adds: null },
    {
      event: data(
        '{"id":"x","error": { "code":5.03e2, "message":"n\\u006f" } ,"choices":[{"delta":{"content":"pay $5"}}]}',
      ),
      isSafe: true,
      adds: data('{"error":{ "code":5.03e2, "message":"n\\u006f" }}'),
    },
    {
      event: data('{"choices":[],"error":"no"}'),
      isSafe: true,
      adds: data('{"error":"no"}'),
    },
    {
      event: data('{"object":"error","message":"no","code":400}'),
      isSafe: true,
      adds: data('{"error":{"object":"error","message":"no","code":400}}'),
    },
    { event: `event: error\n${data('{"message":"no"}')}`, isSafe: true, adds: data('{"error":{"message":"no"}}') },
    {
      event: data('{"error":{"message":"Limit in organization org-Ab12Cd34Ef56","code":429}}'),
      isSafe: false,
      adds: null,
    },
    { event: data('{"error":{"message":"Too long","code":400},"user_id":"user_9z8y"}'), isSafe: false, adds: null },
    { event: data('{"error":{"message":"The credit is gone","code":402}}'), isSafe: false, adds: null },
    {
      event: data(
        '{"error":{"message":"Provider returned error","code":502,"metadata":{"raw":"{\\"message\\": \\"Buy credits\\"}"}}}',
      ),
      isSafe: false,
      adds: null,
    },
  ],
  answers: [
    fixture('text.json', 'gpt-5-mini-2026-01-10', {
      state: 'finished',
      usage: { ...NO_USAGE, inputTokens: 13, inputAudioTokens: 5, outputTokens: 5, outputAudioTokens: 4 },
      outputBytes: Buffer.byteLength('Hello "you" é'),
      finishReason: 'stop',
      upstreamId: 'chatcmpl-W1',
    }),
    fixture('reasoning-outside.json', 'grok-4-mini', {
      state: 'finished',
      usage: { ...NO_USAGE, inputTokens: 47, cacheReadTokens: 244, outputTokens: 215, reasoningTokens: 189 },
      outputBytes: 'Tools!{"city":"Rome"}'.length,
      finishReason: 'tool_calls',
      upstreamId: 'de9d',
    }),
  ],
});
