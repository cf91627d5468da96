/** Goal: a share lasts for as long as a node goes on without the bank, however new it is. Method: calls at a steady rate, and a clock of numbers. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PurseUse } from './purse-use.ts';

const CHARGE = 1_000n;

/** The wish after `seconds` with a charge every second and nothing held any more. */
function wishAfter(seconds: number): bigint {
  const use = new PurseUse(0);
  for (let second = 1; second <= seconds; second += 1) {
    use.took(CHARGE, CHARGE, second * 1_000);
    use.charged(CHARGE, 0n, second * 1_000);
  }
  return use.wish(0n, seconds * 1_000);
}

for (const seconds of [12, 20, 31, 120])
  test(`after ${seconds} s of calls, two minutes of them are covered`, () => {
    const wish = wishAfter(seconds);
    // The last of six buckets of five seconds is not over.
    assert.ok(wish >= 100n * CHARGE && wish <= 130n * CHARGE, `${wish / CHARGE} calls`);
  });

test('the first calls are not taken for a rate', () => {
  assert.ok(wishAfter(2) <= 30n * CHARGE);
});

test('a rate that ended is forgotten', () => {
  const use = new PurseUse(0);
  use.charged(CHARGE, 0n, 1_000);
  assert.equal(use.wish(0n, 60_000), 0n);
});
