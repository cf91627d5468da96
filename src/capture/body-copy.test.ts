/** Goal: a body is copied up to the limit, in order, and unaffected by later changes of a buffer. Method: bodies cut into pieces of many sizes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BodyCopy } from './body-copy.ts';

test('pieces of any size are joined to one body, up to the limit', () => {
  const body = Buffer.from(Array.from({ length: 9000 }, (_, index) => index % 251));
  for (const size of [1, 7, 100, 4095, 4096, 9000])
    for (const limit of [1, 4096, 8999, 9000, 10_000]) {
      const copy = new BodyCopy(limit);
      for (let at = 0; at < body.length; at += size) copy.add(body.subarray(at, at + size));
      assert.ok(copy.bytes.equals(body.subarray(0, limit)), `${size} ${limit}`);
      assert.equal(copy.isTruncated, limit < body.length);
    }
});

test('a body in one piece is not copied, and a second piece is not written into the first', () => {
  const first = Buffer.from('first');
  const copy = new BodyCopy(100);
  copy.add(first);
  assert.equal(copy.bytes.buffer, first.buffer);
  copy.add(Buffer.from(' second'));
  assert.equal(first.toString(), 'first');
  assert.equal(copy.bytes.toString(), 'first second');
});
