/**
 * Goal: no sum comes near the limit of the ledger's integers, and refunds are counted once. Method: the bank over a ledger in
 * memory.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../core/clock.ts';
import { nanoUsd, parseUsd } from '../core/money.ts';
import {
  ACCOUNT,
  balanceOf,
  bankOf,
  bound,
  call,
  entry,
  held,
  moneyIn,
  NOON,
  posted,
  prepaid,
  refusalOf,
  refusedEntry,
  spend,
} from './bank-under-test.ts';
import { LedgerBank } from './ledger-bank.ts';

test('no entry takes a sum to the limit of 64 bits', async () => {
  const { bank, ledger } = await prepaid('5');
  assert.equal(await refusedEntry(bank, { reference: 'slip', amount: parseUsd('9000000000') }), 'exceeds_entry_max');
  for (const reference of ['a', 'b', 'c']) await posted(bank, { reference, amount: parseUsd('1000000000') });
  assert.equal(await refusedEntry(bank, { reference: 'd', amount: parseUsd('1000000000') }), 'exceeds_sum_max');
  assert.equal(balanceOf(bank)?.balance, parseUsd('3000000005'));
  assert.equal(ledger.totals(ACCOUNT).balance, parseUsd('3000000005'));
});

test('a negative balance is reported as such, and can be paid into', async () => {
  const { ledger, clock } = await bankOf('postpaid');
  const owing = { accountId: ACCOUNT, kind: 'adjustment', amount: nanoUsd(-parseUsd('5')), reference: 'r' } as const;
  await ledger.post(entry(owing), () => null);
  const bank = new LedgerBank({
    store: ledger,
    loaded: await ledger.load(),
    mode: 'prepaid',
    clock,
    isWritable: () => true,
  });
  assert.match(refusalOf(bank, call({ bound: bound('1') })).message, /\$-5 is left/);
  await posted(bank, { reference: 'paid', amount: parseUsd('2') });
  assert.equal(balanceOf(bank)?.balance, -parseUsd('3'));
});

test('a sum that already exceeds the limit may be corrected towards it, but not away from it', async () => {
  const { bank, ledger } = await bankOf('prepaid');
  await ledger.post(entry({ reference: 'from before the limit', amount: parseUsd('9000000000') }), () => null);
  const loaded = await ledger.load();
  const late = new LedgerBank({
    store: ledger,
    loaded,
    mode: bank.mode,
    clock: new ManualClock(NOON),
    isWritable: () => true,
  });
  const down = { kind: 'adjustment', amount: nanoUsd(-parseUsd('1000000000')) } as const;
  assert.equal(await refusedEntry(late, { reference: 'up' }), 'exceeds_sum_max');
  await posted(late, { reference: 'down', ...down });
  assert.equal(balanceOf(late)?.balance, parseUsd('8000000000'));
});

test('a call that could take a sum to the limit of 64 bits is refused in every billing mode', async () => {
  for (const mode of ['postpaid', 'off'] as const) {
    const { bank } = await bankOf(mode);
    const refused = refusalOf(bank, call({ bound: bound('1000000001') }));
    assert.equal(refused.code, 'insufficient_balance', mode);
    assert.equal(moneyIn(bank, 'account', 1).held, 0n);
  }
  const { bank } = await bankOf('postpaid');
  for (let index = 0; index < 4; index += 1) held(bank, call({ bound: bound('1000000000') }));
  assert.equal(refusalOf(bank, call({ bound: bound('1') })).code, 'insufficient_balance');
});

test('a refund goes to the balance, not to a budget', async () => {
  const { bank } = await prepaid('5');
  const request = call({ bound: bound('2') });
  await spend(bank, request, '1');
  await posted(bank, { kind: 'refund', reference: 'back', callId: request.callId });
  assert.equal(balanceOf(bank)?.balance, parseUsd('5'));
  for (const window of ['day', 'total'] as const) assert.equal(moneyIn(bank, 'key', 3).spent[window], parseUsd('1'));
});
