/** Goal: white space is what a pattern takes for it. Method: every code unit. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isWhiteSpace } from './white-space.ts';

test('is what a pattern takes for white space', () => {
  for (let unit = 0; unit < 0x10000; unit += 1)
    assert.equal(isWhiteSpace(unit), /\s/.test(String.fromCharCode(unit)), unit.toString(16));
});
