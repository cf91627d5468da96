/**
 * Goal: a whole answer reaches a caller of this format with all that the format can express. Method: written blocks compared, and read
 * again.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AnswerBlock, ChatResponse, FinishReason } from '../../../chat/response.ts';
import { NO_USAGE } from '../../../core/usage.ts';
import { CONTEXT, readFixture } from './answer-fixture.ts';
import { readResponse } from './read-response.ts';
import { writeResponse } from './write-response.ts';

function respond(
  blocks: readonly AnswerBlock[],
  reason: FinishReason = 'end',
  usage: ChatResponse['usage'] = null,
): ChatResponse {
  const finish = { reason, stopSequence: null, native: 'own', explanation: null };
  return { id: 'msg_1', blocks, finish, usage, warnings: [] };
}

function write(response: ChatResponse, context = CONTEXT): Record<string, unknown> {
  return JSON.parse(writeResponse(response, context).toString());
}

function messageOf(blocks: readonly AnswerBlock[], context = CONTEXT): Record<string, unknown> {
  const [choice] = write(respond(blocks), context)['choices'] as [{ message: Record<string, unknown> }];
  return choice.message;
}

const text = (value: string): AnswerBlock => ({ type: 'text', text: value, citations: [] });
const call = (id: string, input: object): AnswerBlock =>
  ({ type: 'tool_call', id, name: 'f', input, cache: null }) as AnswerBlock;
const THOUGHTS: readonly AnswerBlock[] = [
  { type: 'reasoning', text: 'A', signature: 's', encrypted: null, origin: 'anthropic-claude-v1' },
  { type: 'reasoning', text: '', signature: null, encrypted: 'e', origin: 'anthropic-claude-v1' },
  { type: 'reasoning', text: 'B', signature: null, encrypted: null, origin: 'unknown' },
];

test('the fields around an answer', () => {
  const usage = { ...NO_USAGE, inputTokens: 3, cacheReadTokens: 2, outputTokens: 4, webSearches: 1 };
  const answer = write(respond([text('Hi')], 'output_cap', usage));
  assert.deepEqual(answer, {
    id: `gen-${CONTEXT.id}`,
    object: 'chat.completion',
    created: 1790000000,
    model: 'mine/model',
    provider: 'harbour',
    system_fingerprint: null,
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: 'Hi', refusal: null },
        logprobs: null,
        finish_reason: 'length',
        native_finish_reason: 'own',
      },
    ],
    usage: {
      prompt_tokens: 5,
      completion_tokens: 4,
      total_tokens: 9,
      cost: 0.0000123,
      prompt_tokens_details: { cached_tokens: 2, cache_write_tokens: 0, audio_tokens: 0 },
      completion_tokens_details: { reasoning_tokens: 0, audio_tokens: 0 },
      server_tool_use_details: { web_search_requests: 1 },
    },
  });
});

test('texts are joined, and content is null without any', () => {
  assert.equal(messageOf([text('a'), call('c', {}), text('b')])['content'], 'a\n\nb');
  assert.equal(messageOf([call('c', {})])['content'], null);
  assert.equal(messageOf([])['content'], null);
});

test('calls are in order, with arguments as JSON text, or as the original text if they are not JSON', () => {
  const entry = (index: number, id: string, json: string) => ({
    index,
    id,
    type: 'function',
    function: { name: 'f', arguments: json },
  });
  const calls = [call('a', { x: 1 }), call('b', {}), call('c', { _raw: '{"x' }), call('d', { _raw: 1, y: 2 })];
  assert.deepEqual(messageOf(calls)['tool_calls'], [
    entry(0, 'a', '{"x":1}'),
    entry(1, 'b', '{}'),
    entry(2, 'c', '{"x'),
    entry(3, 'd', '{"_raw":1,"y":2}'),
  ]);
});

test('reasoning is shown to a caller that asked for it, with all that must be sent back', () => {
  const format = 'anthropic-claude-v1';
  assert.deepEqual(messageOf([...THOUGHTS, text('x')]), {
    role: 'assistant',
    content: 'x',
    refusal: null,
    reasoning: 'AB',
    reasoning_details: [
      { type: 'reasoning.text', text: 'A', signature: 's', id: null, format, index: 0 },
      { type: 'reasoning.encrypted', data: 'e', id: null, format, index: 1 },
      { type: 'reasoning.text', text: 'B', id: null, format: 'unknown', index: 2 },
    ],
  });
  const hidden = messageOf([...THOUGHTS, text('x')], { ...CONTEXT, showsReasoning: false });
  assert.deepEqual(hidden, { role: 'assistant', content: 'x', refusal: null });
});

test('a refusal is in its own field, with a reason that clients know', () => {
  const answer = write(respond([{ type: 'refusal', text: 'No.' }], 'refusal'));
  const [choice] = answer['choices'] as [{ message: object; finish_reason: string }];
  assert.deepEqual(choice.message, { role: 'assistant', content: null, refusal: 'No.' });
  assert.equal(choice.finish_reason, 'content_filter');
});

test('a written answer is the same when it is read', () => {
  const cited: AnswerBlock = {
    type: 'text',
    text: 'x',
    citations: [{ url: 'u', title: 't', quote: 'q', start: 0, end: 1 }],
  };
  const rows: readonly ChatResponse[] = [
    respond([...THOUGHTS, cited, call('a', { x: [1, { y: null }] }), call('b', { _raw: 'no json' })], 'tool_calls', {
      ...NO_USAGE,
      inputTokens: 3,
    }),
    respond([text('x')], 'output_cap'),
    respond([{ type: 'refusal', text: 'No.' }], 'refusal'),
    respond([]),
    ...['text.json', 'reasoning-outside.json'].map((name) => readResponse(readFixture(name)) as ChatResponse),
  ];
  for (const response of rows) {
    const again = readResponse(writeResponse(response, CONTEXT));
    assert.deepEqual(again, { ...response, id: `gen-${CONTEXT.id}` });
  }
});

test("a call of a custom tool is the caller's own again, its input as text", () => {
  const context = { ...CONTEXT, forAnswer: { customTools: ['f'] } };
  assert.deepEqual(messageOf([call('call_1', { input: 'SELECT 1' })], context)['tool_calls'], [
    { index: 0, id: 'call_1', type: 'custom', custom: { name: 'f', input: 'SELECT 1' } },
  ]);
});
