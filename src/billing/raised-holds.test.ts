/**
 * Goal: a hold grows only by what is available, in one step, and under budgets only on its own day. Method: the bank over a
 * ledger in memory.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseUsd } from '../core/money.ts';
import { balanceOf, bound, call, held, prepaid, settlement } from './bank-under-test.ts';

const DAY_MS = 86_400_000;

test('a hold is raised by what is available, and released in full', async () => {
  const { bank } = await prepaid('1');
  const request = call({ bound: bound('0.4') });
  const hold = held(bank, request);
  assert.equal(bank.raise(hold, { ...request, bound: bound('0.9') }), true);
  assert.equal(hold.amount, parseUsd('0.9'));
  assert.equal(hold.recorded, parseUsd('0.9'));
  assert.equal(balanceOf(bank)?.available, parseUsd('0.1'));
  await bank.finish(hold, settlement(request, hold, '0.5'));
  assert.deepEqual([balanceOf(bank)?.held, balanceOf(bank)?.balance], [0n, parseUsd('0.5')]);
});

test('a hold that cannot be raised stays as it is, and is never lowered', async () => {
  const { bank } = await prepaid('1');
  const request = call({ bound: bound('0.4') });
  const hold = held(bank, request);
  assert.equal(bank.raise(hold, { ...request, bound: bound('1.1') }), false);
  assert.equal(bank.raise(hold, { ...request, bound: bound('0.1') }), true);
  assert.equal(bank.raise(hold, { ...request, bound: null }), true);
  assert.equal(hold.amount, parseUsd('0.4'));
  assert.equal(balanceOf(bank)?.held, parseUsd('0.4'));
});

test('under budgets, a hold is raised only on the day of its call, in whose windows it counts', async () => {
  const { bank, clock } = await prepaid('10');
  const keyBudgets = { day: parseUsd('1') };
  const request = call({ bound: bound('0.4'), keyBudgets });
  const [early, late] = [held(bank, request), held(bank, call({ bound: bound('0.4'), keyBudgets }))];
  assert.equal(bank.raise(early, { ...request, bound: bound('0.6') }), true);
  assert.equal(bank.raise(early, { ...request, bound: bound('0.7') }), false);
  clock.advance(DAY_MS);
  assert.equal(bank.raise(late, { ...request, bound: bound('0.5') }), false);
  assert.equal(bank.raise(late, { ...request, keyBudgets: undefined, bound: bound('0.5') }), true);
});

test('a check in advance refuses a call if not even the least is available, and holds nothing', async () => {
  const { bank } = await prepaid('0.1');
  const request = call({ bound: null });
  const refusal = bank.checkAffordable(request, [bound('0.2'), bound('0.3')]);
  assert.deepEqual(refusal?.refused === 'shortfall' && refusal.needed, parseUsd('0.2'));
  assert.equal(bank.checkAffordable(request, [bound('0.2'), bound('0.1')]), null);
  assert.equal(bank.checkAffordable(request, [bound('0.2'), null]), null);
  assert.equal(bank.checkNotEmpty(request), null);
  assert.equal(balanceOf(bank)?.held, 0n);
  held(bank, call({ bound: bound('0.1') }));
  assert.equal(bank.checkNotEmpty(request)?.refused, 'shortfall');
});
