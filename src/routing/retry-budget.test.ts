/** Goal: all failing, attempts are at most 1.2 times the calls, and three more. Method: every call takes what it can, on a clock that the test moves. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../core/clock.ts';
import { RetryBudget } from './retry-budget.ts';

test('three further attempts in ten seconds are always allowed, however few calls there are', () => {
  const clock = new ManualClock();
  const budget = new RetryBudget(clock);
  budget.countCall();
  assert.deepEqual([retry(budget), retry(budget), retry(budget), retry(budget)], [true, true, true, false]);
  clock.advance(10_000);
  assert.equal(retry(budget), true);
});

for (const perSecond of [2, 20, 500])
  test(`of ${perSecond} failing calls a second that would each retry twice, a fifth may`, () => {
    const clock = new ManualClock();
    const budget = new RetryBudget(clock);
    let calls = 0;
    let retries = 0;
    for (let second = 0; second < 10; second += 1) {
      for (let call = 0; call < perSecond; call += 1) {
        budget.countCall();
        calls += 1;
        for (let more = 0; more < 2; more += 1) if (retry(budget)) retries += 1;
      }
      assert.ok(calls + retries <= 1.2 * calls + 3, `${retries} of ${calls}`);
      clock.advance(1_000);
    }
    assert.ok(retries >= Math.floor(0.2 * calls), `${retries} of ${calls}`);
  });

function retry(budget: RetryBudget): boolean {
  if (budget.isSpent()) return false;
  budget.take();
  return true;
}
