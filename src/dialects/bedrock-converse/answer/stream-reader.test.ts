/** Goal: a stream that violates the format ends with an error, and never with a block out of place. Method: streams by hand. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeEventLines } from '../../../../test/support/event-stream.ts';
import type { ChatEvent } from '../../../chat/response.ts';
import { EventStreamSplitter } from '../../../wire/frames/event-stream-splitter.ts';
import { openReader } from './stream-reader.ts';

const END =
  'messageStop {"stopReason":"end_turn"}\nmetadata {"usage":{"inputTokens":1,"outputTokens":1,"totalTokens":2}}';

function read(lines: string, upstreamModel?: string): readonly ChatEvent[] {
  const reader = openReader(upstreamModel);
  const events = new EventStreamSplitter().push(encodeEventLines(lines)).flatMap((frame) => reader.frame(frame));
  return [...events, ...reader.end()];
}

const delta = (index: number, inner: object) =>
  `contentBlockDelta ${JSON.stringify({ contentBlockIndex: index, delta: inner })}\n`;
const call = (index: number) =>
  `contentBlockStart {"contentBlockIndex":${index},"start":{"toolUse":{"toolUseId":"t${index}","name":"look"}}}\n`;

const broken: Readonly<Record<string, string>> = {
  'arguments of a call that never began': delta(0, { toolUse: { input: '{}' } }),
  'words inside a call': call(0) + delta(0, { text: 'x' }),
  'a thought inside a text': delta(0, { text: 'x' }) + delta(0, { reasoningContent: { text: 't' } }),
  'a block that began twice': call(0) + call(0),
  'a block that goes on after its end': `${delta(0, { text: 'x' })}contentBlockStop {"contentBlockIndex":0}\n${delta(0, { text: 'y' })}`,
  'a block that goes on after a later one': delta(0, { text: 'x' }) + delta(1, { text: 'y' }) + delta(0, { text: 'z' }),
  'an event that is not an object': 'messageStart 7\n',
  'no stop': delta(0, { text: 'x' }),
};

for (const [name, lines] of Object.entries(broken))
  test(`${name} is an error, and the last event`, () => {
    const types = read(name === 'no stop' ? lines : lines + END).map(({ type }) => type);
    assert.equal(types.indexOf('error'), types.length - 1);
    assert.ok(!types.includes('finish'));
  });

test('a block that another one follows has ended, and one that is still open at the stop, too', () => {
  const events = read(delta(0, { text: 'x' }) + call(1) + delta(1, { toolUse: { input: '{}' } }) + END);
  assert.deepEqual(
    events.map(({ type }) => type),
    ['start', 'block_start', 'text', 'block_end', 'block_start', 'arguments', 'block_end', 'finish', 'end'],
  );
});

test('a thought without a signature is Claude’s only if the model may be', () => {
  const originOf = (model?: string) => {
    const events = read(delta(0, { reasoningContent: { text: 't' } }) + END, model);
    const [, began] = events;
    return began?.type === 'block_start' && began.block.type === 'reasoning' ? began.block.origin : null;
  };
  assert.equal(originOf('us.deepseek.r1-v1:0'), 'unknown');
  assert.equal(originOf('us.anthropic.claude-sonnet-4-5-20250929-v1:0'), 'anthropic-claude-v1');
  assert.equal(originOf(), 'anthropic-claude-v1');
});

test('a signature or a hidden thought without end is an error before it fills the memory', () => {
  const long = 'A'.repeat(900_000);
  for (const part of [{ signature: long }, { redactedContent: long }]) {
    const events = read(Array.from({ length: 6 }, () => delta(0, { reasoningContent: part })).join('') + END);
    assert.equal(events.at(-1)?.type, 'error');
  }
});
