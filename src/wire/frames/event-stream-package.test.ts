/**
 * Goal: the framing is the one that Amazon's own clients speak. Method: its package writes what ours reads, and reads what the tests' own
 * writer made; it also says what is damaged.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EventStreamCodec, Int64, type MessageHeaders } from '@smithy/eventstream-codec';
import { encodeMessage } from '../../../test/support/event-stream.ts';
import { DAMAGED } from './event-stream-message.ts';
import { EventStreamSplitter } from './event-stream-splitter.ts';

const codec = new EventStreamCodec(
  (bytes) => Buffer.from(bytes).toString(),
  (text) => Buffer.from(text),
);

const HEADERS: MessageHeaders = {
  ':message-type': { type: 'string', value: 'event' },
  yes: { type: 'boolean', value: true },
  no: { type: 'boolean', value: false },
  byte: { type: 'byte', value: 1 },
  short: { type: 'short', value: -2 },
  integer: { type: 'integer', value: 3 },
  long: { type: 'long', value: Int64.fromNumber(4) },
  binary: { type: 'binary', value: Buffer.from('bytes') },
  time: { type: 'timestamp', value: new Date(5) },
  uuid: { type: 'uuid', value: '01234567-89ab-cdef-0123-456789abcdef' },
  ':event-type': { type: 'string', value: 'contentBlockDelta' },
};
const BODY = Buffer.from('{"delta":{"text":"Grüße"}}');

test('what the package writes, with headers of every type, is read', () => {
  const bytes = Buffer.from(codec.encode({ headers: HEADERS, body: BODY }));
  const [frame] = new EventStreamSplitter().push(bytes);
  assert.deepEqual([frame?.event, frame?.data?.toString()], ['contentBlockDelta', BODY.toString()]);
});

test("what the tests' own writer makes is what the package writes", () => {
  const strings = { ':event-type': 'messageStart', ':content-type': 'application/json', ':message-type': 'event' };
  const headers = Object.fromEntries(
    Object.entries(strings).map(([name, value]) => [name, { type: 'string' as const, value }]),
  );
  const written = encodeMessage(strings, BODY);
  assert.deepEqual(written, Buffer.from(codec.encode({ headers, body: BODY })));
  assert.equal(Buffer.from(codec.decode(written).body).toString(), BODY.toString());
});

test('a message that the package refuses is damaged, and one that it takes is not', () => {
  const bytes = Buffer.from(codec.encode({ headers: HEADERS, body: BODY }));
  for (let at = 0; at < bytes.length; at += 1)
    for (const by of [1, 0x80]) {
      const damaged = Buffer.from(bytes);
      damaged[at] = (damaged[at] as number) ^ by;
      assert.throws(() => codec.decode(damaged), `byte ${at}`);
      // A longer length is waited for, and then the next message's bytes do not fit.
      const frames = new EventStreamSplitter().push(Buffer.concat([damaged, bytes, bytes]));
      assert.deepEqual(
        frames.map(({ event }) => event),
        [DAMAGED],
        `byte ${at}`,
      );
    }
});
