/**
 * Goal: a caller of this format, OpenAI's SDK or an OpenRouter client, reads the whole answer. Method: events written and compared as
 * chunks; every fixture read, written and read again.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChatEvent, FinishReason } from '../../../chat/response.ts';
import { GatewayError } from '../../../core/errors.ts';
import { NO_USAGE } from '../../../core/usage.ts';
import { SseSplitter } from '../../../wire/frames/sse-splitter.ts';
import { gatherBlocks } from '../../kit/answer/gather-blocks.ts';
import { OpenaiChatMeter } from '../meter/meter.ts';
import { CONTEXT, chunksOf, eventsOf, readFixture, streamNames, streamOf, written } from './answer-fixture.ts';
import { openWriter } from './stream-writer.ts';

const START: ChatEvent = { type: 'start', id: 'msg_1', usage: null };
const END_BLOCK: ChatEvent = { type: 'block_end' };
const USAGE = {
  ...NO_USAGE,
  inputTokens: 10,
  cacheReadTokens: 4,
  cacheWriteTokens: 2,
  cacheWrite1hTokens: 1,
  outputTokens: 9,
  reasoningTokens: 5,
};

function finish(reason: FinishReason, native: string | null = null): ChatEvent {
  return { type: 'finish', finish: { reason, stopSequence: null, native, explanation: null } };
}

function openCall(id: string, name: string): ChatEvent {
  return { type: 'block_start', block: { type: 'tool_call', id, name } };
}

function json(text: string): ChatEvent {
  return { type: 'arguments', json: text };
}

const deltasOf = (events: readonly ChatEvent[], context = CONTEXT) =>
  chunksOf(written(events, context)).map((chunk) => chunk.choices[0]?.delta);

for (const name of streamNames) {
  test(`${name} has the same content when written and read again`, () => {
    const events = eventsOf(readFixture(name));
    if (events.at(-1)?.type === 'error') return;
    const again = eventsOf(written(events));
    assert.deepEqual(gatherBlocks(again), gatherBlocks(events));
    assert.deepEqual(again.slice(-1), events.slice(-1));
    const [first, second] = [events.at(-2), again.at(-2)];
    assert.ok(first?.type === 'finish' && second?.type === 'finish');
    // A caller gets "stop" if the provider gave no reason.
    const expected = first.finish.reason === 'blank' ? 'end' : first.finish.reason;
    assert.equal(second.finish.reason, expected);
  });
}

test('reasoning of every kind has the same content when written and read again', () => {
  const format = 'anthropic-claude-v1';
  const details = (...entries: object[]) => ({ delta: { reasoning_details: entries } });
  const events = eventsOf(
    streamOf(
      details({ text: 'A', format, index: 0 }, { signature: 's', format, index: 0 }),
      details({ text: 'B', signature: 't', format, index: 1 }),
      details({ signature: 'u', format, index: 2 }),
      details({ data: 'e', format, index: 3 }, { data: 'f', format, index: 4 }),
      { delta: { content: 'x' } },
      details({ text: 'C', format: 'google-gemini-v1', index: 5 }),
      { delta: {}, finish_reason: 'stop' },
    ),
  );
  const blocks = gatherBlocks(events);
  assert.equal(blocks.length, 7);
  assert.deepEqual(gatherBlocks(eventsOf(written(events))), blocks);
});

test('the first chunk has the role and every chunk the same fields around its choice', () => {
  const chunks = chunksOf(
    written([START, { type: 'block_start', block: { type: 'text' } }, { type: 'text', text: 'Hi' }]),
  );
  const frame = {
    id: `gen-${CONTEXT.id}`,
    object: 'chat.completion.chunk',
    created: 1790000000,
    model: 'mine/model',
    provider: 'harbour',
  };
  assert.deepEqual(chunks, [
    { ...frame, choices: [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }] },
    { ...frame, choices: [{ index: 0, delta: { content: 'Hi' }, finish_reason: null }] },
  ]);
});

test('tool calls are counted from 0 whatever blocks are between them, and one without arguments gets an object', () => {
  const text: ChatEvent[] = [{ type: 'block_start', block: { type: 'text' } }, { type: 'text', text: 'x' }, END_BLOCK];
  const events = [
    START,
    ...text,
    openCall('a', 'f'),
    json('{"x"'),
    json(':1}'),
    END_BLOCK,
    ...text,
    openCall('b', 'g'),
    json(''),
    END_BLOCK,
  ];
  const entries = deltasOf(events).flatMap((delta) => delta?.['tool_calls'] ?? []);
  assert.deepEqual(entries, [
    { index: 0, id: 'a', type: 'function', function: { name: 'f', arguments: '' } },
    { index: 0, function: { arguments: '{"x"' } },
    { index: 0, function: { arguments: ':1}' } },
    { index: 1, id: 'b', type: 'function', function: { name: 'g', arguments: '' } },
    { index: 1, function: { arguments: '{}' } },
  ]);
});

const THOUGHTS: readonly ChatEvent[] = [
  { type: 'block_start', block: { type: 'reasoning', encrypted: null, origin: 'anthropic-claude-v1' } },
  { type: 'reasoning', text: 'Hm' },
  { type: 'signature', signature: 'sig', origin: 'anthropic-claude-v1' },
  END_BLOCK,
  { type: 'block_start', block: { type: 'reasoning', encrypted: 'enc', origin: 'openai-responses-v1' } },
  END_BLOCK,
];

test('reasoning is in both fields, with all that must be sent back, and its vendor once', () => {
  const format = 'anthropic-claude-v1';
  const [first, ...rest] = THOUGHTS;
  const more: ChatEvent = { type: 'reasoning', text: ', well' };
  assert.deepEqual(deltasOf([first as ChatEvent, rest[0] as ChatEvent, more, ...rest.slice(1)]), [
    { reasoning: 'Hm', reasoning_details: [{ type: 'reasoning.text', text: 'Hm', id: null, format, index: 0 }] },
    { reasoning: ', well', reasoning_details: [{ type: 'reasoning.text', text: ', well', index: 0 }] },
    { reasoning_details: [{ type: 'reasoning.text', signature: 'sig', index: 0 }] },
    {
      reasoning_details: [
        { type: 'reasoning.encrypted', data: 'enc', id: null, format: 'openai-responses-v1', index: 1 },
      ],
    },
  ]);
});

test('an empty thought leaves no hole in the indexes, and a late id is written once', () => {
  const open: ChatEvent = {
    type: 'block_start',
    block: { type: 'reasoning', encrypted: null, origin: 'openai-responses-v1' },
  };
  const signed: ChatEvent = { type: 'signature', signature: 's', origin: 'openai-responses-v1', id: 'rs_1' };
  const events = [open, END_BLOCK, open, { type: 'reasoning', text: 'a' } as const, signed, END_BLOCK];
  assert.deepEqual(
    deltasOf(events).flatMap((delta) => delta?.['reasoning_details']),
    [
      { type: 'reasoning.text', text: 'a', id: null, format: 'openai-responses-v1', index: 0 },
      { type: 'reasoning.text', signature: 's', id: 'rs_1', index: 0 },
    ],
  );
});

test('the last chunk repeats what vendors expect back, under new indexes, if more than one chunk had some', () => {
  const deltas = deltasOf([...THOUGHTS, finish('end')]);
  assert.deepEqual(deltas.at(-1), {
    reasoning_details: [
      { type: 'reasoning.text', signature: 'sig', id: null, format: 'anthropic-claude-v1', index: 2 },
      { type: 'reasoning.encrypted', data: 'enc', id: null, format: 'openai-responses-v1', index: 3 },
    ],
  });
  const only = deltasOf([...THOUGHTS.slice(-2), finish('end')]);
  assert.deepEqual([only.length, only.at(-1)], [2, {}]);
  const huge: ChatEvent = { type: 'signature', signature: 's'.repeat(2 ** 18 + 1), origin: 'o' };
  assert.deepEqual(deltasOf([...THOUGHTS.slice(0, 2), huge, END_BLOCK, finish('end')]).at(-1), {});
});

test('reasoning is hidden from a caller that did not ask for it', () => {
  assert.equal(written(THOUGHTS, { ...CONTEXT, showsReasoning: false }).length, 0);
});

test('a refusal and a citation have separate fields', () => {
  const events: ChatEvent[] = [
    { type: 'block_start', block: { type: 'refusal' } },
    { type: 'text', text: 'No.' },
    END_BLOCK,
    { type: 'block_start', block: { type: 'text' } },
    { type: 'citation', citation: { url: 'u', title: 't', quote: 'q', start: null, end: null } },
    { type: 'citation', citation: { url: 'v', title: '', quote: '', start: 1, end: 2 } },
    finish('end'),
  ];
  assert.deepEqual(deltasOf(events), [
    { refusal: 'No.' },
    {
      annotations: [
        {
          index: 0,
          type: 'url_citation',
          url_citation: { url: 'u', title: 't', content: 'q', start_index: 0, end_index: 0 },
        },
        { index: 1, type: 'url_citation', url_citation: { url: 'v', title: '', start_index: 1, end_index: 2 } },
      ],
    },
  ]);
});

test('citations are sent together at the end, and earlier if there are more than is kept', () => {
  const cited = (url: string): ChatEvent => ({
    type: 'citation',
    citation: { url, title: '', quote: '', start: null, end: null },
  });
  const countsOf = (events: readonly ChatEvent[]) =>
    deltasOf([...events, finish('end')]).map((delta) => (delta?.['annotations'] as unknown[] | undefined)?.length ?? 0);
  assert.deepEqual(countsOf(Array.from({ length: 3 }, () => cited('u'))), [3]);
  assert.deepEqual(countsOf(Array.from({ length: 1_025 }, () => cited('u'))), [1_024, 1]);
  assert.deepEqual(countsOf(Array.from({ length: 5 }, () => cited('u'.repeat(100_000)))), [3, 2]);
});

test('every reason has an equivalent in the format', () => {
  const rows: readonly (readonly [FinishReason, string])[] = [
    ['end', 'stop'],
    ['stop_sequence', 'stop'],
    ['output_cap', 'length'],
    ['context_window', 'length'],
    ['tool_calls', 'tool_calls'],
    ['refusal', 'content_filter'],
    ['paused', 'stop'],
    ['blank', 'stop'],
  ];
  for (const [reason, word] of rows) {
    assert.deepEqual(
      chunksOf(written([finish(reason, 'own_word')])).map(({ choices }) => choices),
      [[{ index: 0, delta: {}, finish_reason: word, native_finish_reason: 'own_word' }]],
    );
  }
});

test('the usage has every token once, and its cost to the last digit', () => {
  const bytes = written([{ type: 'end', usage: USAGE }]);
  const [chunk] = chunksOf(bytes);
  assert.deepEqual(chunk?.choices, []);
  assert.deepEqual(chunk?.['usage'], {
    prompt_tokens: 17,
    completion_tokens: 9,
    total_tokens: 26,
    cost: 0.0000123,
    prompt_tokens_details: { cached_tokens: 4, cache_write_tokens: 3, audio_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: 5, audio_tokens: 0 },
  });
  assert.match(bytes.toString(), /"cost":0\.000012300,/);
  assert.match(bytes.toString(), /\n\ndata: \[DONE\]\n\n$/);
});

test('a caller that did not ask for usage gets it with one empty choice', () => {
  const [chunk] = chunksOf(
    written([{ type: 'end', usage: USAGE }], { ...CONTEXT, wantsUsage: false, cost: () => null }),
  );
  // A role would be appended to the first one: "assistantassistant".
  assert.deepEqual(chunk?.choices, [{ index: 0, delta: {}, finish_reason: null }]);
  assert.equal(Object.hasOwn(chunk?.['usage'] as object, 'cost'), false);
});

test('an answer without usage still ends', () => {
  assert.equal(written([{ type: 'end', usage: null }]).toString(), 'data: [DONE]\n\n');
});

test('the finish chunk has only the finish, and usage comes only at the end', () => {
  const writer = openWriter(CONTEXT);
  assert.equal(chunksOf(writer.event(finish('end'))).length, 1);
  assert.equal(chunksOf(writer.event({ type: 'end', usage: USAGE })).length, 1);
});

test('an error is written once with a choice and once without, so that every client throws, and nothing follows it', () => {
  const error = new GatewayError('bad_gateway', { message: 'Gone.' });
  const bytes = written([START, { type: 'error', error }, finish('end'), { type: 'end', usage: null }]);
  const chunks = chunksOf(bytes);
  assert.equal(chunks.length, 3);
  const body = chunks[1]?.['error'] as Record<string, unknown>;
  assert.deepEqual(chunks[2], { error: body });
  assert.equal(body['message'], 'Gone.');
  assert.equal(body['status'], 502);
  assert.doesNotMatch(bytes.toString(), /DONE/);
});

test('a meter of this format accepts a written stream as a complete answer', () => {
  const stream = written([
    START,
    ...THOUGHTS,
    openCall('a', 'f'),
    END_BLOCK,
    finish('tool_calls'),
    { type: 'end', usage: USAGE },
  ]);
  const meter = new OpenaiChatMeter(1);
  for (const frame of new SseSplitter().push(stream)) meter.frame(frame);
  assert.equal(meter.state, 'finished');
  assert.equal(meter.delivered().outputBytes, 'Hm{}'.length);
  assert.equal(meter.usage()?.outputTokens, 9);
});

test('text cut inside a character arrives as it was', () => {
  const [high, low] = ['\ud83d', '\udc4b'];
  const deltas = deltasOf([
    { type: 'block_start', block: { type: 'text' } },
    { type: 'text', text: high },
    { type: 'text', text: low },
  ]);
  assert.equal(deltas.map((delta) => delta?.['content']).join(''), '👋');
});

test("a call of a custom tool is the caller's own again, its input as text", () => {
  const context = { ...CONTEXT, forAnswer: { customTools: ['sql'] } };
  const deltas = deltasOf(
    [
      START,
      openCall('call_1', 'sql'),
      json('{"inp'),
      json('ut":"SELECT \\'),
      json('n1"}'),
      END_BLOCK,
      openCall('call_2', 'f'),
      json('{"a":1}'),
      END_BLOCK,
    ],
    context,
  );
  assert.deepEqual(deltas.slice(1), [
    { tool_calls: [{ index: 0, id: 'call_1', type: 'custom', custom: { name: 'sql', input: '' } }] },
    { tool_calls: [{ index: 0, custom: { input: 'SELECT ' } }] },
    { tool_calls: [{ index: 0, custom: { input: '\n1' } }] },
    { tool_calls: [{ index: 1, id: 'call_2', type: 'function', function: { name: 'f', arguments: '' } }] },
    { tool_calls: [{ index: 1, function: { arguments: '{"a":1}' } }] },
  ]);
});
