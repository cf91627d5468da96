/** Goal: a file that arrives is an image exactly if the same file read as a whole is one. Method: files made byte by byte, in any pieces. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ImageHead } from './image-head.ts';
import { hasSize } from './image-size.ts';
import { IMAGE_HEAD_BYTES, imageTypeOf } from './image-type.ts';
import { IMAGES, jpeg, PDF } from './media-fixture.ts';

function inPieces(file: Buffer, lengths: readonly number[]): string | null {
  const head = new ImageHead();
  let at = 0;
  for (let turn = 0; at < file.length; turn += 1) {
    const length = lengths[turn % lengths.length] as number;
    head.feed(file.subarray(at, at + length));
    at += length;
  }
  head.end();
  return head.image;
}

/** Read as a whole. */
function typeOf(file: Buffer): string | null {
  const type = imageTypeOf(file.toString('latin1', 0, IMAGE_HEAD_BYTES));
  return type !== null && hasSize(type, (offset, count) => file.subarray(offset, offset + count)) ? type : null;
}

const SEGMENTS_WITHOUT_END = Buffer.concat([Buffer.from([0xff, 0xd8]), Buffer.alloc(9_000, 0xff)]);
const FILES = [...IMAGES.map(([, file]) => file), jpeg(300), SEGMENTS_WITHOUT_END, PDF];

test('images are recognised in any pieces, cut anywhere, and nothing else is', () => {
  const lengths = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 });
  for (const file of FILES) assert.equal(inPieces(file, [4_096]), typeOf(file));
  fc.assert(
    fc.property(fc.constantFrom(...FILES), fc.nat(2_000), lengths, (file, length, pieces) => {
      const cut = file.subarray(0, length);
      assert.equal(inPieces(cut, pieces), typeOf(cut));
    }),
    { numRuns: 500 },
  );
});

test('a size after megabytes of metadata is known once it has arrived', () => {
  const photo = jpeg(5_000_000);
  const head = new ImageHead();
  head.feed(photo.subarray(0, 4_000_000));
  assert.equal(head.image, null);
  head.feed(photo.subarray(4_000_000));
  assert.equal(head.image, 'image/jpeg');
});
