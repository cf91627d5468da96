/** Goal: the level shares out the budget evenly, and leaves those alone who want little. Method: cases by hand, then random ones against the definition. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { fairLevel } from './fair-level.ts';

test('who wants little gets all of it, and the others the same', () => {
  assert.equal(fairLevel([900, 100], 500), 400);
  assert.equal(fairLevel([10, 10, 10], 15), 5);
  assert.equal(fairLevel([5, 100, 100], 45), 20);
  assert.equal(fairLevel([7], 3), 3);
});

test('without too little there is no level', () => {
  assert.equal(fairLevel([3, 4], 7), Number.POSITIVE_INFINITY);
  assert.equal(fairLevel([], 0), Number.POSITIVE_INFINITY);
});

test('what is given adds up to the budget, with less than one more for each', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(1000), { minLength: 1, maxLength: 50 }), fc.nat(20_000), (wanted, budget) => {
      const level = fairLevel(wanted, budget);
      const given = wanted.reduce((sum, amount) => sum + Math.min(amount, level), 0);
      const all = wanted.reduce((sum, amount) => sum + amount, 0);
      assert.ok(given >= Math.min(all, budget));
      assert.ok(given < Math.min(all, budget) + wanted.length);
    }),
  );
});
