/**
 * Goal: a whole answer of any vendor becomes the same blocks. Method: the fixtures, tables of messages, and bodies that are not answers.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AnswerBlock, ChatResponse } from '../../../chat/response.ts';
import { NO_USAGE } from '../../../core/usage.ts';
import { CONTEXT, readFixture } from './answer-fixture.ts';
import { readResponse } from './read-response.ts';
import { writeResponse } from './write-response.ts';

function read(message: object, choice: object = {}, answer: object = {}): ChatResponse {
  const body = { id: 'a1', choices: [{ index: 0, message, finish_reason: 'stop', ...choice }], ...answer };
  const response = readResponse(Buffer.from(JSON.stringify(body)));
  assert.ok(response !== null);
  return response;
}

const text = (value: string): AnswerBlock => ({ type: 'text', text: value, citations: [] });
const reasoning = (value: string, fields: object = {}): AnswerBlock => ({
  type: 'reasoning',
  text: value,
  signature: null,
  encrypted: null,
  origin: 'unknown',
  ...fields,
});
const call = (id: string, name: string, input: Record<string, never> | object): AnswerBlock =>
  ({ type: 'tool_call', id, name, input, cache: null }) as AnswerBlock;

test('a plain answer', () => {
  assert.deepEqual(readResponse(readFixture('text.json')), {
    id: 'chatcmpl-W1',
    blocks: [text('Hello "you" é')],
    finish: { reason: 'end', stopSequence: null, native: 'stop', explanation: null },
    usage: { ...NO_USAGE, inputTokens: 13, inputAudioTokens: 5, outputTokens: 5, outputAudioTokens: 4 },
    warnings: [],
  });
});

test('reasoning with a tool call, no text', () => {
  const response = readResponse(readFixture('reasoning-outside.json'));
  assert.deepEqual(response?.blocks, [reasoning('Tools!'), call('call_1', 'weather', { city: 'Rome' })]);
  assert.equal(response?.finish.reason, 'tool_calls');
  assert.equal(response?.usage?.reasoningTokens, 189);
});

test('content as parts', () => {
  const content = [
    {
      type: 'thinking',
      thinking: [
        { type: 'text', text: 'Let' },
        { type: 'text', text: ' me' },
      ],
    },
    { type: 'text', text: 'A' },
    { type: 'text', text: 'B' },
    { type: 'reference', reference_ids: [1] },
  ];
  assert.deepEqual(read({ content }).blocks, [reasoning('Let me'), text('AB')]);
});

test('reasoning details with signatures, encrypted thoughts and summaries', () => {
  const format = 'anthropic-claude-v1';
  const message = {
    content: 'x',
    reasoning: 'AB',
    reasoning_details: [
      { type: 'reasoning.text', text: 'A', signature: 's', format, index: 0 },
      { type: 'reasoning.text', text: 'B', signature: 't', format, index: 0 },
      { type: 'reasoning.text', text: '', signature: 'u', format },
      { type: 'reasoning.encrypted', data: 'e', format },
    ],
  };
  const own = { origin: format };
  assert.deepEqual(read(message).blocks, [
    reasoning('A', { ...own, signature: 's' }),
    reasoning('B', { ...own, signature: 't' }),
    reasoning('', { ...own, signature: 'u' }),
    reasoning('', { ...own, encrypted: 'e' }),
    text('x'),
  ]);
});

test('encrypted details with plain reasoning', () => {
  const message = {
    reasoning: 'A',
    reasoning_details: [{ type: 'reasoning.encrypted', data: 'e', format: 'xai-responses-v1' }],
  };
  const own = { origin: 'xai-responses-v1' };
  assert.deepEqual(read(message).blocks, [reasoning('A', own), reasoning('', { ...own, encrypted: 'e' })]);
});

test('each entry of tool_calls is a call, whatever its index and id', () => {
  const entry = (fields: object, json: unknown) => ({
    ...fields,
    type: 'function',
    function: { name: 'f', arguments: json },
  });
  const { blocks, finish } = read({
    content: null,
    tool_calls: [
      entry({ index: 0, id: 'a' }, '{"x":1}'),
      entry({ index: 0, id: 'b' }, '{}'),
      entry({ index: 0, id: 'b' }, ''),
      entry({}, { y: 2 }),
    ],
  });
  assert.equal(finish.reason, 'tool_calls');
  const calls = blocks.filter((block) => block.type === 'tool_call');
  assert.deepEqual(
    calls.map(({ input }) => input),
    [{ x: 1 }, {}, {}, { y: 2 }],
  );
  assert.deepEqual(
    calls.slice(0, 2).map(({ id }) => id),
    ['a', 'b'],
  );
  assert.equal(new Set(calls.map(({ id }) => id)).size, 4);
});

test('arguments that are not a JSON object are kept as text', () => {
  for (const json of ['{"a', '[1]', '"x"', '1', 'plain words']) {
    const { blocks } = read({ tool_calls: [{ id: 'a', function: { name: 'f', arguments: json } }] });
    assert.deepEqual(blocks, [call('a', 'f', { _raw: json })]);
  }
});

test('empty arguments are an empty object', () => {
  for (const json of ['', ' \n', 'null', '{}', null, undefined, 7]) {
    const { blocks } = read({ tool_calls: [{ id: 'a', function: { name: 'f', arguments: json } }] });
    assert.deepEqual(blocks, [call('a', 'f', {})]);
  }
});

test('a key named __proto__ in arguments is data', () => {
  const { blocks } = read({ tool_calls: [{ id: 'a', function: { name: 'f', arguments: '{"__proto__":{"x":1}}' } }] });
  const [block] = blocks;
  assert.ok(block?.type === 'tool_call');
  assert.deepEqual(Object.keys(block.input), ['__proto__']);
  assert.equal(Object.getPrototypeOf(block.input), Object.prototype);
});

test('a refusal is a block and the reason', () => {
  const { blocks, finish } = read({ content: null, refusal: 'No.' });
  assert.deepEqual(blocks, [{ type: 'refusal', text: 'No.' }]);
  assert.equal(finish.reason, 'refusal');
});

test('citations, the legacy call and a spoken answer', () => {
  const cited = read({
    content: 'x',
    annotations: [{ type: 'url_citation', url_citation: { url: 'u', title: 't', start_index: 0, end_index: 1 } }],
  });
  assert.deepEqual(cited.blocks, [
    { type: 'text', text: 'x', citations: [{ url: 'u', title: 't', quote: '', start: 0, end: 1 }] },
  ]);
  const legacy = read(
    { content: null, function_call: { name: 'f', arguments: '{"x":1}' } },
    { finish_reason: 'function_call' },
  );
  assert.equal(legacy.blocks[0]?.type, 'tool_call');
  assert.equal(legacy.finish.reason, 'tool_calls');
  assert.deepEqual(read({ content: null, audio: { id: 'a', data: '', transcript: 'Hi' } }).blocks, [text('Hi')]);
});

test('an answer may be empty, without a reason and without usage', () => {
  const { blocks, finish, usage } = read({ content: '' }, { finish_reason: null });
  assert.deepEqual([blocks, finish.reason, finish.native, usage], [[], 'blank', null, null]);
});

test('invalid counts of a usage are left out, and a usage without any is null', () => {
  const usageOf = (usage: object) => read({ content: 'x' }, {}, { usage }).usage;
  assert.deepEqual(usageOf({ prompt_tokens: -1, completion_tokens: 2 }), { ...NO_USAGE, outputTokens: 2 });
  assert.deepEqual(usageOf({ prompt_tokens: 3, completion_tokens: null }), { ...NO_USAGE, inputTokens: 3 });
  assert.equal(usageOf({ prompt_tokens: -1, completion_tokens: '2' }), null);
});

test('an answer without a choice is empty, and may have usage', () => {
  const usage = { prompt_tokens: 3, completion_tokens: 2 };
  const response = readResponse(Buffer.from(JSON.stringify({ choices: [], usage })));
  assert.deepEqual(response?.blocks, []);
  assert.deepEqual(response?.usage, { ...NO_USAGE, inputTokens: 3, outputTokens: 2 });
});

test('what is not an answer gives null', () => {
  const bodies = [
    '',
    'x',
    '[]',
    'null',
    '{}',
    '{"choices":[null]}',
    '{"choices":[{}]}',
    '{"choices":[{"message":"x"}]}',
    '{"error":{"message":"x"},"choices":[{"message":{"content":"x"}}]}',
    '{"object":"error","message":"x"}',
    '{"choices":[{"error":{"code":502},"message":{"content":"x"}}]}',
    '{"choices":[{"finish_reason":"error","message":{"content":"x"}}]}',
    '{"choices":[{"message":{"tool_calls":[{"id":"a","function":{"arguments":"{}"}}]}}]}',
    '<html>',
  ];
  for (const body of bodies) assert.equal(readResponse(Buffer.from(body)), null, body);
});

test('images that the model made are blocks, next to the text or among its parts, and are written next to it', () => {
  const entry = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } };
  const image = { type: 'image', mediaType: 'image/png', data: 'iVBORw0KGgo=' } as const;
  for (const message of [
    { content: 'Here.', images: [entry] },
    { content: [{ type: 'text', text: 'Here.' }, entry] },
  ]) {
    const read = readResponse(Buffer.from(JSON.stringify({ choices: [{ message, finish_reason: 'stop' }] })));
    assert.deepEqual(read?.blocks, [{ type: 'text', text: 'Here.', citations: [] }, image]);
    assert.deepEqual(read.warnings, []);
    const [choice] = JSON.parse(writeResponse(read, CONTEXT).toString()).choices;
    assert.deepEqual([choice.message.content, choice.message.images], ['Here.', [entry]]);
  }
});
