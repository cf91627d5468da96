/** Goal: an image has the size that its file states, and a file without one is not an image. Method: files made byte by byte. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasSize } from './image-size.ts';
import type { ImageType } from './image-type.ts';
import { GIF, IMAGES, jpeg, PNG, WEBP_EXTENDED } from './media-fixture.ts';

const isSized = (type: string, file: Buffer) =>
  hasSize(type as ImageType, (offset, count) => file.subarray(offset, offset + count));
const changed = (file: Buffer, at: number, ...bytes: readonly number[]) => {
  const copy = Buffer.from(file);
  copy.set(bytes, at);
  return copy;
};

test('images of all formats have a size, also a photo after megabytes of metadata', () => {
  for (const [type, file] of IMAGES) assert.equal(isSized(type, file), true, type);
  assert.equal(isSized('image/jpeg', jpeg(5_000_000)), true);
});

test('a file that ends before its size, or has none, is not an image', () => {
  for (const [type, file] of IMAGES) {
    for (const length of [0, 3, 6, 9]) assert.equal(isSized(type, file.subarray(0, length)), false, type);
  }
  const rows: readonly (readonly [what: string, type: string, file: Buffer])[] = [
    ['no header', 'image/png', changed(PNG, 12, 0x49, 0x44, 0x41, 0x54)],
    ['no height', 'image/png', changed(PNG, 20, 0, 0, 0, 0)],
    ['a width of billions', 'image/png', changed(PNG, 16, 255, 255, 255, 255)],
    ['no width', 'image/gif', changed(GIF, 6, 0, 0)],
    ['a picture before its frame', 'image/jpeg', Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xda]), PNG])],
    [
      'text after its first bytes',
      'image/jpeg',
      Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.alloc(99, 65)]),
    ],
    ['segments without end', 'image/jpeg', Buffer.concat([Buffer.from([0xff, 0xd8]), Buffer.alloc(9000, 0xff)])],
    ['an unknown kind', 'image/webp', changed(WEBP_EXTENDED, 12, 65, 65, 65, 65)],
  ];
  for (const [what, type, file] of rows) assert.equal(isSized(type, file), false, what);
});
