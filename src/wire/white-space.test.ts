/** Goal: the same white space as `\s`. Method: every code unit. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isWhiteSpace } from './white-space.ts';

test('matches exactly what `\\s` matches', () => {
  for (let unit = 0; unit < 0x10000; unit += 1)
    assert.equal(isWhiteSpace(unit), /\s/.test(String.fromCharCode(unit)), unit.toString(16));
});
