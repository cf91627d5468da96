/** Goal: a mark is found however the bytes arrive. Method: texts cut at every length; too many marks. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MarkSearch } from './mark-search.ts';

const MARK = Buffer.from('"tp1.');

test('marks are found wherever the bytes are cut', () => {
  const bytes = Buffer.from('"tp1."tp"tp1.x""tp1. "tp1');
  for (let piece = 1; piece <= bytes.length; piece += 1) {
    const search = new MarkSearch({ text: MARK, max: 10 });
    for (let filled = piece; filled < bytes.length; filled += piece) search.feed(bytes, filled);
    search.feed(bytes, bytes.length);
    assert.deepEqual(search.found, [0, 8, 15], `pieces of ${piece}`);
  }
});

test('the search stops at the maximum', () => {
  const bytes = Buffer.from('"tp1.'.repeat(9));
  const search = new MarkSearch({ text: MARK, max: 3 });
  for (let filled = 1; filled <= bytes.length; filled += 1) search.feed(bytes, filled);
  assert.deepEqual(search.found, [0, 5, 10]);
});
