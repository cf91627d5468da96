/**
 * Goal: an entry changes the purse in memory exactly once, even if its answer is lost, and never takes what a call holds.
 * Method: the bank over a ledger in memory that refuses entries, or writes them and loses the answer.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nanoUsd, parseUsd } from '../core/money.ts';
import {
  ACCOUNT,
  balanceOf,
  bankOf,
  bound,
  call,
  entry,
  held,
  posted,
  prepaid,
  refusedEntry,
  spend,
  turns,
} from './bank-under-test.ts';
import { LedgerBank } from './ledger-bank.ts';

const debitOf = (reference: string, usd: string) =>
  ({ kind: 'adjustment', reference, amount: nanoUsd(-parseUsd(usd)) }) as const;

test('of concurrent posts with one reference, one is new, and the balance changes once', async () => {
  const { bank, ledger } = await prepaid('5');
  const answers = await Promise.all([1, 2, 3].map((at) => posted(bank, { ...debitOf('once', '2'), at })));
  assert.deepEqual(
    answers.map(({ isNew }) => isNew),
    [true, false, false],
  );
  assert.deepEqual([balanceOf(bank)?.balance, balanceOf(bank)?.held], [parseUsd('3'), 0n]);
  assert.equal(ledger.totals(ACCOUNT).balance, parseUsd('3'));
});

test('of two concurrent refunds that exceed the charge together, one is refused', async () => {
  const { bank } = await prepaid('5');
  const request = call({ bound: bound('2') });
  await spend(bank, request, '1');
  const refund = { kind: 'refund', callId: request.callId, amount: parseUsd('0.6') } as const;
  const refused = await Promise.all(['a', 'b'].map((reference) => refusedEntry(bank, { ...refund, reference })));
  assert.deepEqual(refused, [null, 'exceeds_charge']);
  assert.equal(balanceOf(bank)?.balance, parseUsd('4.6'));
});

test('of two concurrent debits that exceed the balance together, one is refused', async () => {
  const { bank } = await prepaid('5');
  const refused = await Promise.all(['a', 'b'].map((reference) => refusedEntry(bank, debitOf(reference, '3'))));
  assert.deepEqual(refused, [null, 'exceeds_available']);
  assert.deepEqual([balanceOf(bank)?.available, balanceOf(bank)?.held], [parseUsd('2'), 0n]);
});

test('a debit that was posted is found again even if nothing is available any more', async () => {
  const { bank } = await prepaid('5');
  await posted(bank, debitOf('a', '5'));
  assert.equal((await posted(bank, debitOf('a', '5'))).isNew, false);
  assert.equal(await refusedEntry(bank, debitOf('b', '5')), 'exceeds_available');
});

for (const [what, changes, balance] of [
  ['a debit', debitOf('a', '2'), '3'],
  ['a credit', { reference: 'a', amount: parseUsd('2') }, '7'],
] as const) {
  test(`${what} that was written without an answer changes the balance once`, async () => {
    const { bank, ledger } = await prepaid('5');
    ledger.losingAnswers = true;
    await assert.rejects(bank.post(entry(changes)), /unknown whether/);
    ledger.losingAnswers = false;
    await turns();
    assert.deepEqual([balanceOf(bank)?.balance, balanceOf(bank)?.held], [parseUsd(balance), 0n]);
    assert.equal((await posted(bank, changes)).isNew, false);
    assert.equal(balanceOf(bank)?.balance, parseUsd(balance));
    assert.equal(ledger.totals(ACCOUNT).balance, parseUsd(balance));
  });

  test(`${what} that was posted twice, the second time without an answer, changes the balance once`, async () => {
    const { bank, ledger } = await prepaid('5');
    await posted(bank, changes);
    ledger.losingAnswers = true;
    await assert.rejects(bank.post(entry(changes)), /unknown whether/);
    ledger.losingAnswers = false;
    await turns();
    assert.deepEqual([balanceOf(bank)?.balance, balanceOf(bank)?.held], [parseUsd(balance), 0n]);
  });
}

test('while it is unknown whether a debit was written, no call takes its money, and the next call makes the bank ask the ledger', async () => {
  const { bank, ledger } = await prepaid('5');
  ledger.failing = new Error('no space left');
  await assert.rejects(bank.post(entry(debitOf('a', '4'))), /no space left/);
  await turns();
  assert.equal(balanceOf(bank)?.available, parseUsd('1'));
  ledger.failing = null;
  assert.equal(bank.hold(call({ bound: bound('2') })).refused, 'shortfall');
  await turns();
  held(bank, call({ bound: bound('2') }));
  assert.deepEqual([balanceOf(bank)?.balance, balanceOf(bank)?.held], [parseUsd('5'), parseUsd('2')]);
});

test('a bank that starts after an entry whose answer was lost counts it once', async () => {
  const { bank, ledger, clock } = await prepaid('5');
  ledger.losingAnswers = true;
  const lost = bank.post(entry(debitOf('a', '2')));
  await assert.rejects(lost);
  ledger.losingAnswers = false;
  const next = new LedgerBank({
    store: ledger,
    loaded: await ledger.load(),
    mode: 'prepaid',
    clock,
    isWritable: () => true,
  });
  assert.equal((await posted(next, debitOf('a', '2'))).isNew, false);
  assert.deepEqual([balanceOf(next)?.balance, balanceOf(next)?.held], [parseUsd('3'), 0n]);
});

test('with billing off, an earlier entry is still found, and no new one is posted', async () => {
  const { ledger, clock } = await prepaid('5');
  const loaded = await ledger.load();
  const off = new LedgerBank({ store: ledger, loaded, mode: 'off', clock, isWritable: () => true });
  assert.equal((await posted(off, { reference: 'first', amount: parseUsd('5') })).isNew, false);
  assert.equal(await refusedEntry(off, { reference: 'second' }), 'billing_off');
  const { bank } = await bankOf('off');
  assert.equal(await refusedEntry(bank, {}), 'billing_off');
});
