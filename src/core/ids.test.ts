/** Goal: ids convert between text and bytes without loss, and both forms sort by time. Method: known values, then random ones against a BigInt reading. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  type CallId,
  callIdBytes,
  callIdFromBytes,
  callIdTime,
  firstCallIdAt,
  generationId,
  newCallId,
  parseCallId,
  requestId,
} from './ids.ts';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const sixteenBytes = fc.uint8Array({ minLength: 16, maxLength: 16 });

test('the smallest and the largest id have the smallest and the largest bytes', () => {
  assert.equal(callIdBytes('0'.repeat(26) as CallId).toString('hex'), '00'.repeat(16));
  assert.equal(callIdBytes(`7${'z'.repeat(25)}` as CallId).toString('hex'), 'ff'.repeat(16));
});

test('the bytes of an id are its base-32 digits read as one 128-bit number', () => {
  fc.assert(
    fc.property(sixteenBytes, (bytes) => {
      const id = callIdFromBytes(bytes);
      let value = 0n;
      for (const digit of id) value = value * 32n + BigInt(ALPHABET.indexOf(digit));
      assert.equal(value.toString(16).padStart(32, '0'), Buffer.from(bytes).toString('hex'));
      assert.deepEqual(new Uint8Array(callIdBytes(id)), bytes);
    }),
  );
});

test('a new id contains its time, survives a round trip and can be read with either prefix', () => {
  const nowMs = Date.UTC(2026, 10, 21, 12, 30);
  const id = newCallId(nowMs);
  assert.match(id, /^[0-7][0-9a-hjkmnp-tv-z]{25}$/);
  assert.equal(callIdFromBytes(callIdBytes(id)), id);
  assert.equal(callIdTime(id), nowMs);
  assert.equal(callIdBytes(id).readUIntBE(0, 6), nowMs);
  for (const text of [id, generationId(id), requestId(id)]) assert.equal(parseCallId(text), id);
});

test('ids of a later millisecond are greater, as text and as bytes', () => {
  const earlier = newCallId(1_800_000_000_000);
  const later = newCallId(1_800_000_000_001);
  assert.ok(earlier < later);
  assert.equal(Buffer.compare(callIdBytes(earlier), callIdBytes(later)), -1);
});

test('the first id of a millisecond is not greater than any id of it, and greater than all earlier ones', () => {
  const first = firstCallIdAt(1_800_000_000_000);
  assert.ok(first <= newCallId(1_800_000_000_000));
  assert.ok(first > newCallId(1_799_999_999_999));
});

test('ten thousand ids of one millisecond are all different', () => {
  const ids = new Set(Array.from({ length: 10_000 }, () => newCallId(1_800_000_000_000)));
  assert.equal(ids.size, 10_000);
});

test('a text that is not an id is rejected', () => {
  for (const text of [
    '',
    'gen-',
    'gen-short',
    `8${'0'.repeat(25)}`,
    `i${'0'.repeat(25)}`,
    'u'.repeat(26),
    '0'.repeat(27),
  ])
    assert.equal(parseCallId(text), null, text);
});
