/** Goal: open load keeps its rate and hides no stall. Method: moments by hand. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Pace } from './pace.ts';

test('as many calls are due as the rate says, whenever it is looked', () => {
  const pace = new Pace(5_000, 100);
  assert.equal(pace.due(100).length, 0);
  assert.equal(pace.due(101).length, 5);
  assert.equal(pace.due(101).length, 0);
  assert.equal(pace.due(1_100).length, 4_995);
});

test('the tick of the timer is no wait, a stall is one', () => {
  const pace = new Pace(1_000, 0);
  assert.deepEqual(pace.due(1.4), [1.4]);
  // Due at 2, 3, 4 and 5; the first three were kept waiting for longer than the timer does by itself.
  assert.deepEqual(pace.due(5.5), [3, 4, 5, 5.5]);
});
