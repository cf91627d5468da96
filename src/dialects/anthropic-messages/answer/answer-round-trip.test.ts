/**
 * Goal: writing and reading an answer in this format changes nothing, and what a caller reads is always in order. Method: random valid
 * answers, written and read back, as streams and whole.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { JsonObject } from '../../../chat/request.ts';
import type { AnswerBlock, ChatEvent, Citation, Finish } from '../../../chat/response.ts';
import { NO_USAGE, type Usage } from '../../../core/usage.ts';
import { context, parseStream, readStream, thinkingBlock, toolBlock, writeStream } from './answer-fixture.ts';
import { readResponse } from './read-response.ts';
import { writeResponse } from './write-response.ts';

const text = fc.oneof(
  fc.string({ minLength: 1, unit: 'binary' }),
  // Halves of one character, which arrive in two deltas; a line break; a name that careless code mishandles.
  fc.constantFrom('\ud83d', '\ude00', 'a\nb', '__proto__', ' '),
);
const texts = fc.array(text, { minLength: 1, maxLength: 4 });
const origin = fc.constantFrom('anthropic-claude-v1', 'google-gemini-v1', 'openai-responses-v1', 'unknown');
const signature = fc.base64String({ minLength: 4 });
const toolName = fc.stringMatching(/^[a-z_]{1,12}$/);
const toolId = fc.uuid();
const input = fc
  .dictionary(fc.oneof(fc.string(), fc.constant('__proto__')), fc.jsonValue(), { noNullPrototype: true })
  .map((value) => value as JsonObject);

const citation: fc.Arbitrary<Citation> = fc.record(
  {
    url: fc.webUrl(),
    title: fc.string(),
    quote: fc.string(),
    start: fc.constant(null),
    end: fc.constant(null),
  },
  { noNullPrototype: true },
);

const textEvents = fc
  .array(fc.oneof(text, citation), { maxLength: 5 })
  .filter((parts) => parts.some((part) => typeof part === 'string'))
  .map((parts): ChatEvent[] => [
    { type: 'block_start', block: { type: 'text' } },
    ...parts.map(
      (part): ChatEvent =>
        typeof part === 'string' ? { type: 'text', text: part } : { type: 'citation', citation: part },
    ),
    { type: 'block_end' },
  ]);

const refusalEvents = texts.map((parts): ChatEvent[] => [
  { type: 'block_start', block: { type: 'refusal' } },
  ...parts.map((part): ChatEvent => ({ type: 'text', text: part })),
  { type: 'block_end' },
]);

const toolEvents = fc
  .tuple(toolId, toolName, input, fc.array(fc.nat({ max: 40 })), fc.boolean())
  .map(([id, name, value, cuts, bare]) => toolBlock(id, name, ...(bare ? [] : cutAt(JSON.stringify(value), cuts))));

const encryptedEvents = fc
  .tuple(signature, origin)
  .map(([encrypted, origin]): ChatEvent[] => [
    { type: 'block_start', block: { type: 'reasoning', encrypted, origin } },
    { type: 'block_end' },
  ]);

const thinkingEvents = fc
  .tuple(text, fc.option(signature), origin)
  .map(([text, signature, origin]) => thinkingBlock(text, signature, origin));

const count = fc.nat({ max: 1_000_000 });
const usage: fc.Arbitrary<Usage> = fc
  .record({
    inputTokens: count,
    cacheReadTokens: count,
    cacheWriteTokens: count,
    cacheWrite1hTokens: count,
    outputTokens: count,
  })
  .map((counts) => ({ ...NO_USAGE, ...counts, reasoningTokens: Math.floor(counts.outputTokens / 2), webSearches: 1 }));

const finish: fc.Arbitrary<Finish> = fc.constantFrom(
  { reason: 'output_cap', stopSequence: null, native: 'max_tokens', explanation: null },
  { reason: 'stop_sequence', stopSequence: 'END', native: 'stop_sequence', explanation: null },
  { reason: 'tool_calls', stopSequence: null, native: 'tool_use', explanation: null },
  { reason: 'refusal', stopSequence: null, native: 'refusal', explanation: 'No.' },
  { reason: 'paused', stopSequence: null, native: 'pause_turn', explanation: null },
);

function answerEvents(blocks: fc.Arbitrary<ChatEvent[]>): fc.Arbitrary<ChatEvent[]> {
  return fc
    .tuple(fc.array(blocks, { maxLength: 6 }), finish, usage, usage)
    .map(([blocks, finish, startUsage, usage]): ChatEvent[] => [
      {
        type: 'start',
        id: `msg_${context.id}`,
        usage: { ...startUsage, outputTokens: 1, reasoningTokens: 0, webSearches: 0 },
      },
      ...blocks.flat(),
      { type: 'finish', finish },
      { type: 'end', usage },
    ]);
}

test('a stream is read back as it was written', () => {
  const readable = answerEvents(fc.oneof(textEvents, toolEvents, encryptedEvents, thinkingEvents));
  fc.assert(
    fc.property(readable, (events) => {
      assert.deepEqual(readStream(writeStream(events)), events.map(asRead));
    }),
  );
});

test('a written stream is in order: one start, blocks counted up, each ended once, arguments whole', () => {
  const any = answerEvents(fc.oneof(textEvents, refusalEvents, toolEvents, encryptedEvents, thinkingEvents));
  fc.assert(
    fc.property(any, fc.boolean(), (events, showsReasoning) => {
      const written = parseStream(writeStream(events, { showsReasoning }));
      const types = written.map(({ type }) => type);
      assert.equal(types[0], 'message_start');
      assert.deepEqual(types.slice(-2), ['message_delta', 'message_stop']);
      let next = 0;
      let open = false;
      for (const event of written.slice(1, -2)) {
        assert.equal(event['index'], next);
        assert.equal(event.type === 'content_block_start', !open);
        open = event.type !== 'content_block_stop';
        if (!open) next += 1;
      }
      assert.equal(open, false);
      const deltas = written.map((event) => (event['delta'] ?? {}) as Record<string, unknown>);
      const thoughts = deltas.filter(({ type }) => type === 'thinking_delta');
      if (!showsReasoning) assert.deepEqual(thoughts, []);
      assert.equal(deltas.map((delta) => delta['partial_json'] ?? '').join(''), joined(events, 'arguments'));
      assert.equal(deltas.map((delta) => delta['text'] ?? '').join(''), joined(events, 'text'));
    }),
  );
});

test('a whole answer is read back as it was', () => {
  const block: fc.Arbitrary<AnswerBlock> = fc.oneof(
    fc.record({ type: fc.constant('text' as const), text, citations: fc.array(citation, { maxLength: 2 }) }),
    fc.record({ type: fc.constant('tool_call' as const), id: toolId, name: toolName, input, cache: fc.constant(null) }),
    fc
      .tuple(text, fc.option(signature), origin)
      .map(([text, signature, origin]) => ({ type: 'reasoning' as const, text, signature, encrypted: null, origin })),
    fc
      .tuple(signature, origin)
      .map(([encrypted, origin]) => ({ type: 'reasoning' as const, text: '', signature: null, encrypted, origin })),
  );
  fc.assert(
    fc.property(fc.array(block, { maxLength: 6 }), finish, usage, (blocks, finish, usage) => {
      const response = { id: `msg_${context.id}`, blocks: asJson(blocks), finish, usage, warnings: [] };
      assert.deepEqual(readResponse(writeResponse(response, context)), response);
    }),
  );
});

/** Only its signature says which vendor made a thought, so every block begins as Anthropic's. */
function asRead(event: ChatEvent): ChatEvent {
  if (event.type !== 'block_start' || event.block.type !== 'reasoning' || event.block.encrypted !== null) return event;
  return { type: 'block_start', block: { ...event.block, origin: 'anthropic-claude-v1' } };
}

function joined(events: readonly ChatEvent[], type: 'arguments' | 'text'): string {
  return events
    .map((event) => (event.type === 'arguments' ? event.json : event.type === 'text' ? event.text : ''))
    .filter((_, index) => events[index]?.type === type)
    .join('');
}

/** JSON has no -0. */
function asJson(blocks: AnswerBlock[]): AnswerBlock[] {
  return JSON.parse(JSON.stringify(blocks)) as AnswerBlock[];
}

function cutAt(json: string, cuts: readonly number[]): string[] {
  const places = [0, ...cuts.filter((cut) => cut < json.length).sort((a, b) => a - b), json.length];
  return places
    .slice(1)
    .map((end, index) => json.slice(places[index], end))
    .filter((piece) => piece !== '');
}
