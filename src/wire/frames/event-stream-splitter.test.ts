/**
 * Goal: a binary event stream has the same frames however it is cut, and nothing of a damaged message is ever shown. Method: streams
 * written from the specification, cut everywhere; each of their bits turned over; lengths and headers that lie.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { encodeEvent, encodeException, encodeMessage, messageOf } from '../../../test/support/event-stream.ts';
import { DAMAGED } from './event-stream-message.ts';
import { EventStreamSplitter } from './event-stream-splitter.ts';
import type { Frame } from './frame.ts';

type Seen = readonly [event: string | null, data: string | null];

const START = encodeEvent('messageStart', { role: 'assistant' });
const DELTA = encodeEvent('contentBlockDelta', { contentBlockIndex: 0, delta: { text: 'Grüße 😀' }, p: 'abc' });
const THROTTLED = encodeException('throttlingException', 'Slow down');
const ERROR = encodeMessage(
  { ':message-type': 'error', ':error-code': 'Internal', ':error-message': 'It "broke"' },
  '',
);
const BARE = encodeMessage({ ':message-type': 'event' }, '');

test('events, exceptions and errors are frames, the same at every cut', () => {
  const bytes = Buffer.concat([START, DELTA, BARE, THROTTLED, ERROR]);
  const expected: Seen[] = [
    ['messageStart', '{"role":"assistant"}'],
    ['contentBlockDelta', '{"contentBlockIndex":0,"delta":{"text":"Grüße 😀"},"p":"abc"}'],
    [null, ''],
    ['exception:throttlingException', '{"message":"Slow down"}'],
    ['exception:Internal', '{"message":"It \\"broke\\""}'],
  ];
  assert.deepEqual(seen(split(bytes, [])), expected);
  for (let cut = 1; cut < bytes.length; cut += 1)
    assert.deepEqual(seen(split(bytes, [cut])), expected, `cut at ${cut}`);
  const everyByte = Array.from({ length: bytes.length - 1 }, (_, index) => index + 1);
  const frames = split(bytes, everyByte);
  assert.deepEqual(seen(frames), expected);
  assert.deepEqual(Buffer.concat(frames.map((frame) => frame.bytes)), bytes);
});

test('the payload is a view of the message, and the message of the chunk', () => {
  const chunk = Buffer.concat([START, DELTA]);
  const [, frame] = new EventStreamSplitter().push(chunk);
  assert.equal(frame?.bytes.buffer, chunk.buffer);
  assert.equal(frame?.bytes.subarray(frame.dataStart, frame.dataStart + 5).toString(), '{"con');
});

test('a message in which any bit is wrong is not shown, and nothing after it', () => {
  for (let bit = 0; bit < 8 * DELTA.length; bit += 1) {
    const damaged = Buffer.from(DELTA);
    damaged[bit >> 3] = (damaged[bit >> 3] as number) ^ (1 << (bit & 7));
    const bytes = Buffer.concat([START, damaged, DELTA, START]);
    const frames = split(bytes, []);
    assert.deepEqual(
      frames.map(({ event }) => event),
      ['messageStart', DAMAGED],
      `bit ${bit}`,
    );
    assert.ok(frames.every(({ data }) => data?.includes('Grüße') === false));
  }
});

test('garbage is one error, at every cut', () => {
  for (const garbage of ['<html>Bad gateway</html>', 'data: {"a":1}\n\n', '\0'.repeat(40), 'x'.repeat(12)]) {
    const bytes = Buffer.from(garbage);
    for (let cut = 0; cut < bytes.length; cut += 1)
      assert.deepEqual(
        split(bytes, cut === 0 ? [] : [cut]).map(({ event }) => event),
        [DAMAGED],
      );
  }
});

test('a length is checked before anything of the message is kept', () => {
  const splitter = new EventStreamSplitter({ frameBytesMax: 1000 });
  const tooLong = preludeOf(1001, 10);
  assert.equal(splitter.push(tooLong)[0]?.event, DAMAGED);
  assert.deepEqual(splitter.push(Buffer.alloc(2000)), []);
  assert.equal(splitter.end().length, 0);
  // As long as the most there may be, it is waited for; shorter than its parts, or with headers beyond its end, it cannot exist.
  assert.deepEqual(new EventStreamSplitter({ frameBytesMax: 1000 }).push(preludeOf(1000, 10)), []);
  for (const [length, headers] of [
    [15, 0],
    [0, 0],
    [16, 1],
    [0xffffffff, 0],
    [100, 0xffffffff],
  ] as const)
    assert.equal(new EventStreamSplitter().push(preludeOf(length, headers))[0]?.event, DAMAGED, `${length} ${headers}`);
});

test('headers that do not fill their space are damage, though the checksums are right', () => {
  const name = Buffer.from(':message-type');
  const valid = Buffer.concat([Buffer.from([name.length]), name, Buffer.from([7, 0, 5]), Buffer.from('event')]);
  assert.deepEqual(seen(split(messageOf(valid, '{}'), [])), [[null, '{}']]);
  const invalid = [
    valid.subarray(0, -1),
    Buffer.concat([valid, Buffer.from([200])]),
    Buffer.concat([valid, Buffer.from([1, 0x61])]),
    Buffer.concat([valid, Buffer.from([1, 0x61, 10])]),
    Buffer.concat([valid, Buffer.from([1, 0x61, 7, 0])]),
    Buffer.concat([valid, Buffer.from([1, 0x61, 5, 0, 0, 0])]),
    Buffer.from([]),
  ];
  for (const headers of invalid) assert.equal(split(messageOf(headers, '{}'), [])[0]?.event, DAMAGED);
});

test('headers of every type are passed over', () => {
  const values = [[0], [1], [2, 1], [3, 1, 1], [4, 1, 1, 1, 1], [5, ...new Array(8).fill(1)], [6, 0, 2, 9, 9]];
  const others = [...values, [8, ...new Array(8).fill(1)], [9, ...new Array(16).fill(1)]].map((value) =>
    Buffer.from([1, 0x61, ...value]),
  );
  const event = Buffer.concat([
    Buffer.from([13]),
    Buffer.from(':message-type'),
    Buffer.from([7, 0, 5]),
    Buffer.from('event'),
  ]);
  assert.deepEqual(seen(split(messageOf(Buffer.concat([...others, event, ...others]), 'x'), [])), [[null, 'x']]);
});

test('what is left of a message that did not end is returned', () => {
  const splitter = new EventStreamSplitter();
  assert.equal(splitter.push(Buffer.concat([START, DELTA.subarray(0, 50)])).length, 1);
  assert.deepEqual(splitter.end(), DELTA.subarray(0, 50));
  assert.equal(splitter.end().length, 0);
});

test('generated messages are the same at generated cuts', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 60 });
  const cuts = fc.array(fc.nat(), { maxLength: 20 });
  fc.assert(
    fc.property(fc.array(fc.tuple(text, text), { minLength: 1, maxLength: 8 }), cuts, (events, places) => {
      const bytes = Buffer.concat(
        events.map(([event, data]) => encodeMessage({ ':event-type': event, ':message-type': 'event' }, data)),
      );
      const at = [...new Set(places.map((place) => place % bytes.length))].filter((place) => place > 0);
      assert.deepEqual(
        seen(
          split(
            bytes,
            at.sort((one, other) => one - other),
          ),
        ),
        events,
      );
    }),
  );
});

function split(bytes: Buffer, cuts: readonly number[]): Frame[] {
  const splitter = new EventStreamSplitter();
  const ends = [...cuts, bytes.length];
  return ends.flatMap((end, index) => splitter.push(Buffer.from(bytes.subarray(ends[index - 1] ?? 0, end))));
}

function seen(frames: readonly Frame[]): Seen[] {
  return frames.map(({ event, data }) => [event, data?.toString() ?? null]);
}

function preludeOf(length: number, headers: number): Buffer {
  const prelude = Buffer.alloc(12);
  prelude.writeUInt32BE(length, 0);
  prelude.writeUInt32BE(headers, 4);
  prelude.writeUInt32BE(crc32(prelude.subarray(0, 8)), 8);
  return prelude;
}
