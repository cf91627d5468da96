/**
 * Goal: no number of calls takes the same money twice, and every refusal says what binds. Method: the bank
 * over a ledger in memory that is refused, crashed and read back; a clock that is moved.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { GatewayError } from '../core/errors.ts';
import { accountId } from '../core/ids.ts';
import { NO_MONEY, nanoUsd, parseUsd, picoUsd } from '../core/money.ts';
import type { Hold } from './bank.ts';
import {
  ACCOUNT,
  bankOf,
  bound,
  call,
  entry,
  NOON,
  prepaid,
  refusalOf,
  settlement,
  spend,
  turns,
} from './bank-under-test.ts';
import type { Bound } from './bound.ts';
import { LedgerBank } from './ledger-bank.ts';

test('a balance for exactly 100 holds admits exactly 100 of 1,000 calls at once', async () => {
  const { bank } = await prepaid('1');
  const holds: Hold[] = [];
  const refused: string[] = [];
  for (let index = 0; index < 1_000; index += 1) {
    try {
      holds.push(bank.hold(call({ bound: bound('0.01') })));
    } catch (error) {
      refused.push((error as GatewayError).code);
    }
  }
  assert.equal(holds.length, 100);
  assert.deepEqual(new Set(refused), new Set(['balance_reserved']));
  assert.equal(bank.balanceOf(ACCOUNT)?.available, 0n);
  assert.equal(bank.balanceOf(ACCOUNT)?.balance, parseUsd('1'));
});

test('what a call did not use is free again once its terminal row is written, not before', async () => {
  const { bank, ledger } = await prepaid('1');
  const request = call({ bound: bound('0.6') });
  const hold = bank.hold(request);
  const finished = bank.finish(hold, settlement(request, hold, '0.1'));
  assert.equal(bank.balanceOf(ACCOUNT)?.available, parseUsd('0.4'));
  await finished;
  assert.deepEqual(bank.balanceOf(ACCOUNT), {
    balance: parseUsd('0.9'),
    held: 0n,
    available: parseUsd('0.9'),
    credited: parseUsd('1'),
    charged: parseUsd('0.1'),
  });
  assert.deepEqual(ledger.totals(ACCOUNT).balance, parseUsd('0.9'));
});

test('a spent balance and a held one are different refusals, only the second is worth another try', async () => {
  const { bank } = await prepaid('1');
  const spent = refusalOf(() => bank.hold(call({ bound: bound('2') })));
  assert.equal(spent.code, 'insufficient_balance');
  assert.equal(spent.retryAfterSeconds, null);
  assert.match(spent.message, /turnpike balance add/);
  bank.hold(call({ bound: bound('0.7') }));
  const held = refusalOf(() => bank.hold(call({ bound: bound('0.7') })));
  assert.equal(held.code, 'balance_reserved');
  assert.equal(held.retryAfterSeconds, 2);
  assert.deepEqual(JSON.parse(JSON.stringify(held.facts)), { binding: 'balance', needed: 0.7, available: 0.3 });
});

test('a call without a cap of its own is lowered to an eighth of what is available, and never under 256 tokens', async () => {
  const { bank } = await prepaid('0.8');
  const generous = lowerable(picoUsd(250_000_000n), 100_000);
  const first = bank.hold(call({ bound: generous }));
  assert.deepEqual([first.amount, first.outputCap], [parseUsd('0.1'), 400]);
  for (const cap of [350, 306, 268, 256, 256, 256, 256, 256, 256, 256]) {
    const next = bank.hold(call({ bound: generous }));
    assert.deepEqual([next.amount, next.outputCap], [nanoUsd(BigInt(cap) * 250_000n), cap]);
  }
  assert.equal(refusalOf(() => bank.hold(call({ bound: generous }))).code, 'balance_reserved');
});

test('a cap of the caller is never lowered, and what fits in half of the balance is left alone', async () => {
  const { bank } = await prepaid('1');
  const own = { ...lowerable(picoUsd(1_000_000_000n), 900), mayLower: false };
  assert.equal(bank.hold(call({ bound: own })).outputCap, null);
  const small = { ...own, outputCap: 50, mayLower: true };
  const hold = bank.hold(call({ bound: { ...small } }));
  assert.deepEqual([hold.amount, hold.outputCap], [parseUsd('0.05'), null]);
});

test('a free model is served at a balance of nothing', async () => {
  const { bank } = await prepaid(null);
  const free = lowerable(picoUsd(0n), 1_000);
  assert.equal(bank.hold(call({ bound: free })).amount, 0n);
});

test('a free model is served under a budget that was lowered below what is spent', async () => {
  const { bank } = await prepaid('5');
  await spend(bank, call({ bound: bound('2') }), '2');
  const lowered = { keyBudgets: { day: parseUsd('1') } };
  const free = lowerable(picoUsd(0n), 1_000);
  assert.equal(bank.hold(call({ ...lowered, bound: free })).amount, 0n);
  assert.equal(refusalOf(() => bank.hold(call({ ...lowered, bound: bound('0.001') }))).code, 'budget_exceeded');
});

test('the tightest budget of key, project and account binds, in its own window, and says when it renews itself', async () => {
  const { bank, clock } = await prepaid('100');
  const budgets = {
    keyBudgets: { day: parseUsd('2') },
    projectBudgets: { month: parseUsd('3') },
    accountBudgets: { total: parseUsd('50') },
  };
  await spend(bank, call({ ...budgets, bound: bound('2') }), '2');
  const refused = refusalOf(() => bank.hold(call({ ...budgets, bound: bound('1') })));
  assert.equal(refused.code, 'budget_exceeded');
  assert.equal(refused.facts?.['binding'], 'key_budget_day');
  assert.equal(refused.facts?.['resets_at'], '2026-11-22T00:00:00.000Z');
  assert.equal(refused.retryAfterSeconds, 12 * 3600);
  clock.advance(12 * 3_600_000);
  await spend(bank, call({ ...budgets, admittedAt: clock.now(), bound: bound('1') }), '1');
  const monthly = refusalOf(() => bank.hold(call({ ...budgets, admittedAt: clock.now(), bound: bound('1') })));
  assert.equal(monthly.facts?.['binding'], 'project_budget_month');
});

test('a call that the whole of a budget does not cover is told so, and not to wait', async () => {
  const { bank } = await prepaid('100');
  const budgets = { keyBudgets: { day: parseUsd('0.00005') } };
  const refused = refusalOf(() => bank.hold(call({ ...budgets, bound: bound('0.000304') })));
  assert.deepEqual([refused.code, refused.retryAfterSeconds], ['budget_exceeded', null]);
  assert.equal(
    refused.message,
    'The daily budget of this key is $0.00005 in all, and this call may cost more than that: up to $0.000304. Ask for fewer tokens (max_tokens), or have the budget raised.',
  );
  assert.deepEqual(JSON.parse(JSON.stringify(refused.facts)), {
    binding: 'key_budget_day',
    needed: 0.000304,
    available: 0.00005,
    resets_at: null,
  });
});

test('a budget of which something is left is not said to be used up', async () => {
  const { bank } = await prepaid('100');
  const budgets = { keyBudgets: { day: parseUsd('2') } };
  await spend(bank, call({ ...budgets, bound: bound('1') }), '1');
  const part = refusalOf(() => bank.hold(call({ ...budgets, bound: bound('1.5') })));
  assert.match(
    part.message,
    /^The daily budget of this key leaves \$1, and this call may cost up to \$1\.5\. It renews/,
  );
  assert.equal(part.retryAfterSeconds, 12 * 3600);
  const running = call({ ...budgets, bound: bound('1') });
  const hold = bank.hold(running);
  const held = refusalOf(() => bank.hold(call({ ...budgets, bound: bound('1.5') })));
  assert.match(held.message, /is used up or held by running calls: this call may cost up to \$1\.5, and \$0 is left\./);
  await bank.finish(hold, settlement(running, hold, '1'));
  const none = refusalOf(() => bank.hold(call({ ...budgets, bound: bound('1.5') })));
  assert.match(
    none.message,
    /^The daily budget of this key is used up: this call may cost up to \$1\.5, and \$0 is left\./,
  );
});

test('a call belongs to the window in which it was admitted', async () => {
  const { bank, clock } = await prepaid('10');
  const late = call({ bound: bound('1') });
  const hold = bank.hold(late);
  clock.advance(13 * 3_600_000);
  assert.equal(bank.spent('key', 3, 'day'), 0n);
  await bank.finish(hold, settlement(late, hold, '1'));
  assert.equal(bank.spent('key', 3, 'day'), 0n);
  assert.equal(bank.spent('key', 3, 'month'), parseUsd('1'));
});

test('a clock that is set back over midnight leaves no budget without an end', async () => {
  const { bank, clock } = await prepaid('100');
  const budgets = { keyBudgets: { day: parseUsd('2') } };
  clock.stepWall(13 * 3_600_000);
  bank.spent('key', 3, 'day');
  clock.stepWall(-2 * 3_600_000);
  await spend(bank, call({ ...budgets, admittedAt: clock.now(), bound: bound('2') }), '2');
  const next = call({ ...budgets, admittedAt: clock.now(), bound: bound('1') });
  assert.equal(refusalOf(() => bank.hold(next)).code, 'budget_exceeded');
});

test('a call whose body came in over midnight counts where its budget was looked at', async () => {
  const { bank, clock } = await prepaid('100');
  const budgets = { keyBudgets: { day: parseUsd('2') } };
  clock.advance(12 * 3_600_000);
  await spend(bank, call({ ...budgets, admittedAt: clock.now() - 1, bound: bound('2') }), '2');
  const next = call({ ...budgets, admittedAt: clock.now(), bound: bound('1') });
  assert.equal(refusalOf(() => bank.hold(next)).code, 'budget_exceeded');
});

test('a budget that running calls hold is reserved, not used up', async () => {
  const { bank } = await prepaid('100');
  const budgets = { keyBudgets: { week: parseUsd('2') } };
  bank.hold(call({ ...budgets, bound: bound('1.5') }));
  assert.equal(refusalOf(() => bank.hold(call({ ...budgets, bound: bound('1') }))).code, 'balance_reserved');
});

test('postpaid goes below zero and holds what runs; off keeps no balance but counts what is spent', async () => {
  const postpaid = await bankOf('postpaid');
  await spend(postpaid.bank, call({ bound: bound('3') }), '2');
  assert.equal(postpaid.bank.balanceOf(ACCOUNT)?.balance, -parseUsd('2'));
  const off = await bankOf('off');
  const request = call({ bound: bound('3') });
  const hold = off.bank.hold(request);
  assert.equal(hold.recorded, null);
  assert.equal(off.bank.secure(hold, settlement(request, hold, '0')), null);
  await off.bank.finish(hold, settlement(request, hold, '2'));
  assert.equal(off.bank.balanceOf(ACCOUNT), null);
  assert.equal(off.bank.spent('account', 1, 'total'), parseUsd('2'));
});

test('a hold whose row was refused is not secured by the next one, of another target', async () => {
  const { bank, ledger } = await prepaid('1');
  const request = call({ bound: bound('0.5') });
  const hold = bank.hold(request);
  ledger.failing = new Error('no space left');
  await assert.rejects(async () => bank.secure(hold, settlement(request, hold, '0')), /no space left/);
  ledger.failing = null;
  await assert.rejects(async () => bank.secure(hold, settlement(request, hold, '0')), /no space left/);
});

test('nothing is admitted while the disk takes nothing, and a call it refused is settled by the crash rule later', async () => {
  const { bank, ledger } = await prepaid('1');
  const request = call({ bound: bound('0.5') });
  const hold = bank.hold(request);
  await bank.secure(hold, settlement(request, hold, '0'));
  const checkpoint = settlement(request, hold, '0.2');
  bank.checkpoint(hold, checkpoint);
  await turns();
  ledger.failing = new Error('no space left');
  await assert.rejects(bank.finish(hold, settlement(request, hold, '0.4')), /no space left/);
  assert.equal(bank.balanceOf(ACCOUNT)?.available, parseUsd('0.5'));
  ledger.failing = null;
  bank.hold(call({ bound: bound('0.1') }));
  await turns();
  assert.equal(bank.balanceOf(ACCOUNT)?.balance, parseUsd('0.8'));
  assert.equal(ledger.settlements.get(request.callId)?.charge, parseUsd('0.2'));
  assert.equal(ledger.holds.size, 0);
  const closed = await bankOf('prepaid', { isWritable: () => false });
  assert.equal(refusalOf(() => closed.bank.hold(call({ bound: null }))).code, 'ledger_unavailable');
});

test('a call whose end the disk refused, and of which nothing was written, stands as failed and costs nothing', async () => {
  const { bank, ledger } = await prepaid('1');
  const request = call({ bound: bound('0.5') });
  const hold = bank.hold(request);
  ledger.failing = new Error('no space left');
  await assert.rejects(bank.finish(hold, settlement(request, hold, '0.4')), /no space left/);
  ledger.failing = null;
  bank.hold(call({ bound: bound('0.1') }));
  await turns();
  const settled = ledger.settlements.get(request.callId);
  assert.deepEqual([settled?.ending, settled?.charge, settled?.cost], ['gateway_failed', 0n, 0n]);
  assert.equal(bank.balanceOf(ACCOUNT)?.balance, parseUsd('1'));
});

test('a call that the disk refused and has its end all the same costs what that end says, and is not tried again', async () => {
  const { bank, ledger } = await prepaid('1');
  const request = call({ bound: bound('0.5') });
  const hold = bank.hold(request);
  const end = settlement(request, hold, '0.4');
  ledger.failing = new Error('who was to write it died');
  await assert.rejects(bank.finish(hold, end), /died/);
  ledger.failing = null;
  await ledger.commit([{ type: 'terminal', settlement: end, hadHold: false, replay: null }]);
  for (let index = 0; index < 3; index += 1) {
    await spend(bank, call({ bound: bound('0.1') }), '0');
    await turns();
  }
  assert.equal(ledger.settlements.get(request.callId), end);
  assert.deepEqual([bank.balanceOf(ACCOUNT)?.balance, bank.balanceOf(ACCOUNT)?.held], [parseUsd('0.6'), 0n]);
  assert.equal(ledger.refused, 2, 'the end itself, and one attempt to write another');
});

test('an end that can never be written is not tried for ever: its money stays held until the next start', async () => {
  const { bank, ledger } = await prepaid('1');
  const request = call({ bound: bound('0.5') });
  const hold = bank.hold(request);
  ledger.unwritable = request.callId;
  await assert.rejects(bank.finish(hold, settlement(request, hold, '0.4')), /cannot be written/);
  for (let index = 0; index < 3; index += 1) {
    await spend(bank, call({ bound: bound('0.1') }), '0');
    await turns();
  }
  assert.equal(ledger.refused, 2);
  assert.equal(bank.balanceOf(ACCOUNT)?.held, parseUsd('0.5'));
});

test('a bank that starts again stands where the last one stopped', async () => {
  const { bank, ledger, clock } = await prepaid('5');
  await spend(bank, call({ bound: bound('2') }), '1.25');
  const open = call({ bound: bound('1') });
  const hold = bank.hold(open);
  await bank.secure(hold, settlement(open, hold, '0.5'));
  ledger.recover();
  const next = new LedgerBank({
    store: ledger,
    loaded: await ledger.load(),
    mode: 'prepaid',
    clock,
    isWritable: () => true,
  });
  assert.equal(next.balanceOf(ACCOUNT)?.balance, parseUsd('3.25'));
  assert.equal(next.balanceOf(ACCOUNT)?.held, 0n);
  assert.equal(next.spent('key', 3, 'day'), parseUsd('1.75'));
});

test('an entry is posted once per reference, and a reference never stands for two', async () => {
  const { bank } = await prepaid('5');
  const topup = entry({ reference: 'invoice 7', amount: parseUsd('2') });
  const [first, again] = await Promise.all([bank.post(topup), bank.post({ ...topup, at: NOON + 9 })]);
  assert.deepEqual([first.isNew, again.isNew, again.entry], [true, false, first.entry]);
  assert.equal(bank.balanceOf(ACCOUNT)?.balance, parseUsd('7'));
  await assert.rejects(bank.post({ ...topup, amount: parseUsd('3') }), { code: 'conflict' });
});

test('a call is refunded at most once in full, and only on its own account', async () => {
  const { bank } = await prepaid('5');
  const request = call({ bound: bound('2') });
  await spend(bank, request, '1');
  const refund = (reference: string, amount: string, owner = ACCOUNT) =>
    bank.post(entry({ kind: 'refund', reference, amount: parseUsd(amount), callId: request.callId, accountId: owner }));
  await refund('a', '0.6');
  await assert.rejects(refund('b', '0.6'), { code: 'invalid_value' });
  await refund('b', '0.4');
  await refund('b', '0.4');
  await assert.rejects(refund('c', '0.1', accountId(2)), { code: 'not_found' });
  assert.deepEqual([bank.balanceOf(ACCOUNT)?.balance, bank.balanceOf(ACCOUNT)?.charged], [parseUsd('5'), 0n]);
});

test('an adjustment takes no more than is available, and no call takes it while it is written', async () => {
  const { bank } = await prepaid('5');
  bank.hold(call({ bound: bound('3') }));
  const adjustment = (reference: string, amount: string) =>
    bank.post(entry({ kind: 'adjustment', reference, amount: nanoUsd(-parseUsd(amount)) }));
  await assert.rejects(adjustment('a', '2.5'), { code: 'conflict' });
  const writing = adjustment('b', '2');
  await turns();
  assert.equal(bank.balanceOf(ACCOUNT)?.available, 0n);
  await writing;
  assert.equal(bank.balanceOf(ACCOUNT)?.available, 0n);
  assert.equal(bank.balanceOf(ACCOUNT)?.balance, parseUsd('3'));
  await assert.rejects(bank.post(entry({ reference: 'c', amount: NO_MONEY })), { code: 'invalid_value' });
  await assert.rejects(bank.post(entry({ reference: 'd', amount: nanoUsd(-1n) })), { code: 'invalid_value' });
});

/** Of a call without a cap of its own, whose prompt costs nothing. */
function lowerable(perOutputToken: Bound['perOutputToken'], outputCap: number): Bound {
  return { fixed: picoUsd(0n), perOutputToken, outputCap, mayLower: true };
}
