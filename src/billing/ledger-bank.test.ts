/**
 * Goal: concurrent calls never take the same money twice, and every refusal names the limit that applies. Method: the bank
 * over a ledger in memory that refuses writes, crashes and is read back; a clock moved by hand.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accountId } from '../core/ids.ts';
import { NO_MONEY, nanoUsd, parseUsd, picoUsd } from '../core/money.ts';
import type { Hold } from './bank.ts';
import {
  ACCOUNT,
  balanceOf,
  bankOf,
  bound,
  call,
  held,
  moneyIn,
  NOON,
  posted,
  prepaid,
  refusalOf,
  refusedEntry,
  settlement,
  spend,
  turns,
} from './bank-under-test.ts';
import type { Bound } from './bound.ts';
import { LedgerBank } from './ledger-bank.ts';
import { refusalError } from './refusal.ts';

test('a balance for exactly 100 holds admits exactly 100 of 1,000 concurrent calls', async () => {
  const { bank } = await prepaid('1');
  const holds: Hold[] = [];
  const refused: string[] = [];
  for (let index = 0; index < 1_000; index += 1) {
    const answer = bank.hold(call({ bound: bound('0.01') }));
    if (answer.refused === null) holds.push(answer);
    else refused.push(refusalError(answer, NOON, 'ask for fewer tokens', ACCOUNT).code);
  }
  assert.equal(holds.length, 100);
  assert.deepEqual(new Set(refused), new Set(['balance_reserved']));
  assert.equal(balanceOf(bank)?.available, 0n);
  assert.equal(balanceOf(bank)?.balance, parseUsd('1'));
});

test('what a call did not use is available again once its settlement row is written, not before', async () => {
  const { bank, ledger } = await prepaid('1');
  const request = call({ bound: bound('0.6') });
  const hold = held(bank, request);
  const finished = bank.finish(hold, settlement(request, hold, '0.1'));
  assert.equal(balanceOf(bank)?.available, parseUsd('0.4'));
  await finished;
  assert.deepEqual(balanceOf(bank), {
    balance: parseUsd('0.9'),
    held: 0n,
    available: parseUsd('0.9'),
    credited: parseUsd('1'),
    charged: parseUsd('0.1'),
  });
  assert.deepEqual(ledger.totals(ACCOUNT).balance, parseUsd('0.9'));
});

test('the cap of a call without its own is lowered to an eighth of what is available, but not below 256 tokens', async () => {
  const { bank } = await prepaid('0.8');
  const generous = lowerable(picoUsd(250_000_000n), 100_000);
  const first = held(bank, call({ bound: generous }));
  assert.deepEqual([first.amount, first.outputCap], [parseUsd('0.1'), 400]);
  for (const cap of [350, 306, 268, 256, 256, 256, 256, 256, 256, 256]) {
    const next = held(bank, call({ bound: generous }));
    assert.deepEqual([next.amount, next.outputCap], [nanoUsd(BigInt(cap) * 250_000n), cap]);
  }
  assert.equal(refusalOf(bank, call({ bound: generous })).code, 'balance_reserved');
});

test('the caller’s own cap is never lowered, nor one that fits in half of the balance', async () => {
  const { bank } = await prepaid('1');
  const own = { ...lowerable(picoUsd(1_000_000_000n), 900), mayLower: false };
  assert.equal(held(bank, call({ bound: own })).outputCap, null);
  const small = { ...own, outputCap: 50, mayLower: true };
  const hold = held(bank, call({ bound: { ...small } }));
  assert.deepEqual([hold.amount, hold.outputCap], [parseUsd('0.05'), null]);
});

test('a free model is served with an empty balance', async () => {
  const { bank } = await prepaid(null);
  const free = lowerable(picoUsd(0n), 1_000);
  assert.equal(held(bank, call({ bound: free })).amount, 0n);
});

test('a free model is served even if a budget was lowered below what is spent', async () => {
  const { bank } = await prepaid('5');
  await spend(bank, call({ bound: bound('2') }), '2');
  const lowered = { keyBudgets: { day: parseUsd('1') } };
  const free = lowerable(picoUsd(0n), 1_000);
  assert.equal(held(bank, call({ ...lowered, bound: free })).amount, 0n);
  assert.equal(refusalOf(bank, call({ ...lowered, bound: bound('0.001') })).code, 'budget_exceeded');
});

test('the tightest budget of key, project and account applies, in its own window, and the error says when it resets', async () => {
  const { bank, clock } = await prepaid('100');
  const budgets = {
    keyBudgets: { day: parseUsd('2') },
    projectBudgets: { month: parseUsd('3') },
    accountBudgets: { total: parseUsd('50') },
  };
  await spend(bank, call({ ...budgets, bound: bound('2') }), '2');
  const refused = refusalOf(bank, call({ ...budgets, bound: bound('1') }));
  assert.equal(refused.code, 'budget_exceeded');
  assert.equal(refused.facts?.['binding'], 'key_budget_day');
  assert.equal(refused.facts?.['resets_at'], '2026-11-22T00:00:00.000Z');
  assert.equal(refused.retryAfterSeconds, 12 * 3600);
  clock.advance(12 * 3_600_000);
  await spend(bank, call({ ...budgets, admittedAt: clock.now(), bound: bound('1') }), '1');
  const monthly = refusalOf(bank, call({ ...budgets, admittedAt: clock.now(), bound: bound('1') }));
  assert.equal(monthly.facts?.['binding'], 'project_budget_month');
});

test('a call counts in the window in which it was admitted', async () => {
  const { bank, clock } = await prepaid('10');
  const late = call({ bound: bound('1') });
  const hold = held(bank, late);
  clock.advance(13 * 3_600_000);
  assert.equal(moneyIn(bank, 'key', 3).spent.day, 0n);
  await bank.finish(hold, settlement(late, hold, '1'));
  assert.equal(moneyIn(bank, 'key', 3).spent.day, 0n);
  assert.equal(moneyIn(bank, 'key', 3).spent.month, parseUsd('1'));
});

test('setting the clock back over midnight does not reset a budget', async () => {
  const { bank, clock } = await prepaid('100');
  const budgets = { keyBudgets: { day: parseUsd('2') } };
  clock.stepWall(13 * 3_600_000);
  moneyIn(bank, 'key', 3).spent.day;
  clock.stepWall(-2 * 3_600_000);
  await spend(bank, call({ ...budgets, admittedAt: clock.now(), bound: bound('2') }), '2');
  const next = call({ ...budgets, admittedAt: clock.now(), bound: bound('1') });
  assert.equal(refusalOf(bank, next).code, 'budget_exceeded');
});

test('a call whose body arrived over midnight counts on the day its budget was checked', async () => {
  const { bank, clock } = await prepaid('100');
  const budgets = { keyBudgets: { day: parseUsd('2') } };
  clock.advance(12 * 3_600_000);
  await spend(bank, call({ ...budgets, admittedAt: clock.now() - 1, bound: bound('2') }), '2');
  const next = call({ ...budgets, admittedAt: clock.now(), bound: bound('1') });
  assert.equal(refusalOf(bank, next).code, 'budget_exceeded');
});

test('postpaid goes below zero and holds for running calls; off keeps no balance but counts what is spent', async () => {
  const postpaid = await bankOf('postpaid');
  await spend(postpaid.bank, call({ bound: bound('3') }), '2');
  assert.equal(balanceOf(postpaid.bank)?.balance, -parseUsd('2'));
  const off = await bankOf('off');
  const request = call({ bound: bound('3') });
  const hold = held(off.bank, request);
  assert.equal(hold.recorded, null);
  assert.equal(off.bank.persistHold(hold, settlement(request, hold, '0')), null);
  await off.bank.finish(hold, settlement(request, hold, '2'));
  assert.equal(balanceOf(off.bank), null);
  assert.equal(moneyIn(off.bank, 'account', 1).spent.total, parseUsd('2'));
});

test('a hold whose row was refused is not made durable by the next row, of another target', async () => {
  const { bank, ledger } = await prepaid('1');
  const request = call({ bound: bound('0.5') });
  const hold = held(bank, request);
  ledger.failing = new Error('no space left');
  await assert.rejects(async () => bank.persistHold(hold, settlement(request, hold, '0')), /no space left/);
  ledger.failing = null;
  await assert.rejects(async () => bank.persistHold(hold, settlement(request, hold, '0')), /no space left/);
});

test('nothing is admitted while the disk refuses writes, and a refused settlement is written later by the crash rule', async () => {
  const { bank, ledger } = await prepaid('1');
  const request = call({ bound: bound('0.5') });
  const hold = held(bank, request);
  await bank.persistHold(hold, settlement(request, hold, '0'));
  const checkpoint = settlement(request, hold, '0.2');
  bank.checkpoint(hold, checkpoint);
  await turns();
  ledger.failing = new Error('no space left');
  await assert.rejects(bank.finish(hold, settlement(request, hold, '0.4')), /no space left/);
  assert.equal(balanceOf(bank)?.available, parseUsd('0.5'));
  ledger.failing = null;
  held(bank, call({ bound: bound('0.1') }));
  await turns();
  assert.equal(balanceOf(bank)?.balance, parseUsd('0.8'));
  assert.equal(ledger.settlements.get(request.callId)?.charge, parseUsd('0.2'));
  assert.equal(ledger.holds.size, 0);
  const closed = await bankOf('prepaid', { isWritable: () => false });
  assert.equal(refusalOf(closed.bank, call({ bound: null })).code, 'ledger_unavailable');
});

test('a call whose settlement the disk refused, without any row before, is recorded as failed and costs nothing', async () => {
  const { bank, ledger } = await prepaid('1');
  const request = call({ bound: bound('0.5') });
  const hold = held(bank, request);
  ledger.failing = new Error('no space left');
  await assert.rejects(bank.finish(hold, settlement(request, hold, '0.4')), /no space left/);
  ledger.failing = null;
  held(bank, call({ bound: bound('0.1') }));
  await turns();
  const settled = ledger.settlements.get(request.callId);
  assert.deepEqual([settled?.ending, settled?.charge, settled?.cost], ['gateway_failed', 0n, 0n]);
  assert.equal(balanceOf(bank)?.balance, parseUsd('1'));
});

test('a settlement that was reported as refused but was written counts as written, and is not retried', async () => {
  const { bank, ledger } = await prepaid('1');
  const request = call({ bound: bound('0.5') });
  const hold = held(bank, request);
  const end = settlement(request, hold, '0.4');
  ledger.failing = new Error('the writer died');
  await assert.rejects(bank.finish(hold, end), /died/);
  ledger.failing = null;
  await ledger.commit([{ type: 'settlement', settlement: end, hadHold: false, replay: null }]);
  for (let index = 0; index < 3; index += 1) {
    await spend(bank, call({ bound: bound('0.1') }), '0');
    await turns();
  }
  assert.equal(ledger.settlements.get(request.callId), end);
  assert.deepEqual([balanceOf(bank)?.balance, balanceOf(bank)?.held], [parseUsd('0.6'), 0n]);
  assert.equal(ledger.refused, 2, 'the settlement itself, and one attempt to write another');
});

test('a settlement that can never be written is not retried for ever: its money stays held until the next start', async () => {
  const { bank, ledger } = await prepaid('1');
  const request = call({ bound: bound('0.5') });
  const hold = held(bank, request);
  ledger.unwritable = request.callId;
  await assert.rejects(bank.finish(hold, settlement(request, hold, '0.4')), /cannot be written/);
  for (let index = 0; index < 3; index += 1) {
    await spend(bank, call({ bound: bound('0.1') }), '0');
    await turns();
  }
  assert.equal(ledger.refused, 2);
  assert.equal(balanceOf(bank)?.held, parseUsd('0.5'));
});

test('a bank that restarts continues where the last one stopped', async () => {
  const { bank, ledger, clock } = await prepaid('5');
  await spend(bank, call({ bound: bound('2') }), '1.25');
  const open = call({ bound: bound('1') });
  const hold = held(bank, open);
  await bank.persistHold(hold, settlement(open, hold, '0.5'));
  ledger.recover();
  const next = new LedgerBank({
    store: ledger,
    loaded: await ledger.load(),
    mode: 'prepaid',
    clock,
    isWritable: () => true,
  });
  assert.equal(balanceOf(next)?.balance, parseUsd('3.25'));
  assert.equal(balanceOf(next)?.held, 0n);
  assert.equal(moneyIn(next, 'key', 3).spent.day, parseUsd('1.75'));
});

test('an entry is posted once per reference, and a reference never belongs to two entries', async () => {
  const { bank } = await prepaid('5');
  const topup = { reference: 'invoice 7', amount: parseUsd('2') };
  const [first, again] = await Promise.all([posted(bank, topup), posted(bank, { ...topup, at: NOON + 9 })]);
  assert.deepEqual([first.isNew, again.isNew, again.entry], [true, false, first.entry]);
  assert.equal(balanceOf(bank)?.balance, parseUsd('7'));
  assert.equal(await refusedEntry(bank, { ...topup, amount: parseUsd('3') }), 'reference_taken');
});

test('the refunds of a call never exceed its charge, and go only to its own account', async () => {
  const { bank } = await prepaid('5');
  const request = call({ bound: bound('2') });
  await spend(bank, request, '1');
  const refund = (reference: string, amount: string, owner = ACCOUNT) =>
    refusedEntry(bank, {
      kind: 'refund',
      reference,
      amount: parseUsd(amount),
      callId: request.callId,
      accountId: owner,
    });
  assert.equal(await refund('a', '0.6'), null);
  assert.equal(await refund('b', '0.6'), 'exceeds_charge');
  assert.equal(await refund('b', '0.4'), null);
  assert.equal(await refund('b', '0.4'), null);
  assert.equal(await refund('c', '0.1', accountId(2)), 'unknown_call');
  assert.deepEqual([balanceOf(bank)?.balance, balanceOf(bank)?.charged], [parseUsd('5'), 0n]);
});

test('an adjustment takes at most what is available, and no call takes that money while it is being written', async () => {
  const { bank } = await prepaid('5');
  held(bank, call({ bound: bound('3') }));
  const adjustment = (reference: string, amount: string) =>
    refusedEntry(bank, { kind: 'adjustment', reference, amount: nanoUsd(-parseUsd(amount)) });
  assert.equal(await adjustment('a', '2.5'), 'exceeds_available');
  const writing = adjustment('b', '2');
  await turns();
  assert.equal(balanceOf(bank)?.available, 0n);
  assert.equal(await writing, null);
  assert.equal(balanceOf(bank)?.available, 0n);
  assert.equal(balanceOf(bank)?.balance, parseUsd('3'));
  assert.equal(await refusedEntry(bank, { reference: 'c', amount: NO_MONEY }), 'not_positive');
  assert.equal(await refusedEntry(bank, { reference: 'd', amount: nanoUsd(-1n) }), 'not_positive');
});

/** The bound of a call without its own cap, whose prompt costs nothing. */
function lowerable(perOutputToken: Bound['perOutputToken'], outputCap: number): Bound {
  return { fixed: picoUsd(0n), perOutputToken, outputCap, mayLower: true };
}
