/**
 * Goal: the dialect keeps the contract of its family, and every answer is metered correctly however the network cuts it. Method: fixtures
 * written and counted by hand.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NO_USAGE, type Usage } from '../../core/usage.ts';
import { type AnswerFixture, dialectContract, type Metered } from '../contract.ts';
import { anthropicMessages } from './anthropic-messages.ts';
import { leastRequest, readFixture, streamNames } from './fixtures/read-fixture.ts';
import { usualQuirks } from './quirks.ts';

const SPOKEN = 'Fog over the "Straße":\n\t\\o/ {"delta":{"type":"x"}} 灯台 🗼 é🗼';

const streams: Record<string, Metered> = {
  'text.sse': finished('msg_text', 'end_turn', Buffer.byteLength(SPOKEN), { inputTokens: 21, outputTokens: 33 }),
  'thinking.sse': finished('msg_thinking', 'end_turn', 'Two plus two.Four.'.length, {
    inputTokens: 50,
    cacheReadTokens: 4000,
    cacheWriteTokens: 100,
    cacheWrite1hTokens: 200,
    outputTokens: 40,
    reasoningTokens: 31,
  }),
  // 150 tokens of thinking that were counted but not sent count as 600 bytes.
  'omitted-thinking.sse': {
    ...finished('msg_omitted', null, 600, { inputTokens: 9, outputTokens: 1 }),
    state: 'open',
  },
  'tool-use.sse': finished('msg_tool', 'tool_use', 'I look.{"harbour": "Brest"}'.length, {
    inputTokens: 400,
    outputTokens: 61,
  }),
  'parallel-tools.sse': finished('msg_parallel', 'tool_use', '{"at":1}{"at":22}'.length, {
    inputTokens: 410,
    outputTokens: 70,
  }),
  'tool-without-arguments.sse': finished('msg_bare', 'tool_use', 0, { inputTokens: 30, outputTokens: 18 }),
  'redacted-thinking.sse': finished('msg_redacted', 'end_turn', 'RXJhc2VkIHRob3VnaHRzNo.'.length, {
    inputTokens: 92,
    outputTokens: 88,
  }),
  'server-tools.sse': finished('msg_search', 'pause_turn', '{"query":"tides"}High water at noon.'.length, {
    inputTokens: 7300,
    outputTokens: 90,
    webSearches: 2,
  }),
  'refusal.sse': finished('msg_refusal', 'refusal', 0, { inputTokens: 77 }),
  'in-band-error.sse': {
    ...finished('msg_broken', null, 'Half a sen'.length, { inputTokens: 12, outputTokens: 1 }),
    state: 'failed',
  },
  'duplicate-start.sse': finished('msg_twice', 'end_turn', 4, {
    inputTokens: 17,
    cacheReadTokens: 5,
    outputTokens: 6,
  }),
  // The attempt that the provider abandoned counts neither as usage nor as delivered.
  'spliced-start.sse': finished('msg_second', 'tool_use', 2, { inputTokens: 17, outputTokens: 20 }),
  'compaction.sse': finished('msg_compact', 'end_turn', 'A summary.On we go.'.length, {
    inputTokens: 60_600,
    cacheReadTokens: 7,
    cacheWriteTokens: 11,
    outputTokens: 1700,
  }),
  'without-message-stop.sse': {
    ...finished('msg_unstopped', 'max_tokens', 4, { inputTokens: 8, outputTokens: 4 }),
  },
  'truncated.sse': {
    ...finished('msg_cut', 'end_turn', 6, { inputTokens: 8, outputTokens: 4 }),
    state: 'open',
  },
  'empty.sse': { ...finished('msg_empty', null, 0, { inputTokens: 8 }), state: 'empty' },
  // The total of message_delta has no split; all of the first one was for an hour.
  'cache-hour.sse': finished('msg_hour', 'max_tokens', 0, { inputTokens: 3, cacheWrite1hTokens: 1400 }),
  // No `event:` lines, CR LF, a comment, data over two lines, keys in another order.
  'proxied.sse': finished('msg_proxy', 'end_turn', 4, { inputTokens: 5, outputTokens: 2 }),
};

const answers: Record<string, Metered> = {
  'text.json': finished('msg_whole', 'tool_use', Buffer.byteLength('Hm.Vier. 灯{"model":"boat"}'), {
    inputTokens: 10,
    cacheReadTokens: 30,
    cacheWriteTokens: 5,
    cacheWrite1hTokens: 15,
    outputTokens: 40,
    reasoningTokens: 12,
    webSearches: 1,
  }),
};

test('every stream among the fixtures is in the table', () => {
  assert.deepEqual(Object.keys(streams).sort(), [...streamNames].sort());
});

dialectContract(anthropicMessages, {
  quirks: usualQuirks,
  requests: [
    JSON.stringify(leastRequest),
    '{ "max_tokens" : 9000 ,\n "messages":[{"role":"user","content":"h\\u00e9"}], "model" :\t"vendor\\/x" , "n":12345678901234567890 }',
    '{"messages":[{}],"model":"vendor/x","max_tokens":0,"new_field":{"model":"inner","max_tokens":1}}',
  ],
  streams: Object.entries(streams).map(fixture),
  answers: Object.entries(answers).map(fixture),
  errors: [
    { type: 'overloaded_error', message: 'Overloaded', isSafe: true },
    { type: 'api_error', message: 'Internal server error (req_011CAbCdEf01234567)', isSafe: true },
    { type: 'invalid_request_error', message: 'prompt is too long: 200001 tokens > 200000 maximum', isSafe: true },
    { type: 'rate_limit_error', message: 'Limit of organization org-Ab12Cd34Ef56', isSafe: false },
    { type: 'invalid_request_error', message: 'Your credit balance is too low', isSafe: false },
    { type: 'billing_error', message: 'The credit is gone', isSafe: false },
    { type: 'api_error', message: 'No credits at http://10.0.0.1', isSafe: false },
  ].map(({ type, message, isSafe }) => ({
    event: `event: error\ndata: ${JSON.stringify({ type: 'error', error: { type, message }, request_id: 'req_up' })}\n\n`,
    isSafe,
    adds: null,
  })),
});

function fixture([name, metered]: [string, Metered]): AnswerFixture {
  const bytes = readFixture(name);
  const upstreamModel = /claude-lighthouse-\d/.exec(bytes.toString())?.[0];
  assert(upstreamModel !== undefined, `${name} names its model`);
  return { name, bytes, upstreamModel, request: JSON.stringify(leastRequest), metered };
}

function finished(
  upstreamId: string,
  finishReason: string | null,
  outputBytes: number,
  usage: Partial<Usage>,
): Metered {
  return { state: 'finished', upstreamId, finishReason, outputBytes, usage: { ...NO_USAGE, ...usage } };
}
