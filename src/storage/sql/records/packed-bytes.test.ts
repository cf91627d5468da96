/** Goal: packed values are read back, across slabs and in any script. Method: random values, then known bytes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { PackedReader, PackedWriter } from './packed-bytes.ts';

const value = fc.oneof(fc.maxSafeNat(), fc.nat(300), fc.string({ unit: 'grapheme' }), fc.string({ minLength: 9_000 }));

test('counts and texts are read back as they were written, whatever slab they are in', () => {
  fc.assert(
    fc.property(fc.array(fc.array(value)), (rows) => {
      const writer = new PackedWriter();
      const packed = rows.map((row) => {
        for (const each of row) typeof each === 'number' ? writer.count(each) : writer.text(each);
        return writer.take();
      });
      rows.forEach((row, index) => {
        const reader = new PackedReader(packed[index] as Uint8Array);
        for (const each of row) assert.equal(typeof each === 'number' ? reader.count() : reader.text(), each);
      });
    }),
    { numRuns: 50 },
  );
});

test('small counts take one byte, and a text its bytes and their count', () => {
  const writer = new PackedWriter();
  for (const count of [0, 127, 128, 16_383, 16_384]) writer.count(count);
  writer.text('né');
  assert.equal(Buffer.from(writer.take()).toString('hex'), '007f8001ff7f808001036ec3a9');
  assert.equal(writer.take().length, 0);
});

test('a value that is not a count is refused', () => {
  for (const value of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])
    assert.throws(() => new PackedWriter().count(value), String(value));
});

test('truncated bytes are an error, not a shorter value', () => {
  assert.throws(() => new PackedReader(Uint8Array.of(0x80)).count(), RangeError);
  assert.throws(() => new PackedReader(Uint8Array.of(3, 0x61, 0x62)).text(), RangeError);
});
