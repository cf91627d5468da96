/**
 * Goal: all failing, attempts are at most 1.2 times the calls, and three more; and one account does not use them up for others. Method: every
 * call takes what it can, on a clock that the test moves.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../core/clock.ts';
import { accountId } from '../core/ids.ts';
import { RetryBudget } from './retry-budget.ts';

const ONE = accountId(1);
const OTHER = accountId(2);

test('three further attempts in ten seconds are always allowed, however few calls there are', () => {
  const clock = new ManualClock();
  const budget = new RetryBudget(clock);
  budget.countCall(ONE);
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
        budget.countCall(ONE);
        calls += 1;
        for (let more = 0; more < 2; more += 1) if (retry(budget)) retries += 1;
      }
      assert.ok(calls + retries <= 1.2 * calls + 3, `${retries} of ${calls}`);
      clock.advance(1_000);
    }
    assert.ok(retries >= Math.floor(0.2 * calls), `${retries} of ${calls}`);
  });

for (const perSecond of [1, 2, 3, 7, 50])
  test(`an account whose ${perSecond} calls a second all fail leaves another a further attempt`, () => {
    const clock = new ManualClock();
    const budget = new RetryBudget(clock);
    for (let second = 0; second < 30; second += 1) {
      budget.countCall(OTHER);
      for (let call = 0; call < perSecond; call += 1) {
        budget.countCall(ONE);
        for (let more = 0; more < 2; more += 1) retry(budget);
      }
      if (second % 10 === 9) assert.ok(retry(budget, OTHER), `second ${second}`);
      clock.advance(1_000);
    }
  });

test('accounts that have not called lately are forgotten', () => {
  const clock = new ManualClock();
  const budget = new RetryBudget(clock);
  for (let account = 1; account <= 5_000; account += 1) {
    budget.countCall(accountId(account));
    clock.advance(10);
  }
  assert.ok(budget.remembered <= 2_048, `${budget.remembered}`);
});

function retry(budget: RetryBudget, account = ONE): boolean {
  if (budget.isSpent(account)) return false;
  budget.take(account);
  return true;
}
