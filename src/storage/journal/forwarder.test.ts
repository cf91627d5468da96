/**
 * Goal: what is in the journal reaches the bank once, soon, in few transactions, and is not lost while the bank is away. Method: a
 * real journal, a clock that the test moves, and a bank that loses answers, hangs, refuses or is away.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LedgerRow } from '../../billing/ports.ts';
import { type CallId, keyId } from '../../core/ids.ts';
import { nanoUsd } from '../../core/money.ts';
import type { Settlement } from '../../core/settlement.ts';
import { callIds, sampleReplay, sampleSettlement, settlementRow, settlementRows } from '../contract/sample-rows.ts';
import { type JournalUnderTest, journalUnderTest, turns } from './journal-under-test.ts';

test('settlements are gathered for 50 ms and sent in one transaction', async (context) => {
  const { journal, clock, bank } = await journalUnderTest(context);
  const rows = [1, 2, 3].map((ms) => sampleSettlement(ms));
  await journal.commit(settlementRows(rows.slice(0, 1)));
  clock.advance(20);
  await journal.commit(settlementRows(rows.slice(1)));
  clock.advance(29);
  await turns();
  assert.deepEqual(bank.sent, []);
  assert.deepEqual(journal.unsent, { calls: 3, from: 1 });
  clock.advance(1);
  await turns();
  assert.deepEqual(bank.sent, [{ epoch: 0, calls: callIds(rows) }]);
  assert.deepEqual(journal.unsent, { calls: 0, from: null });
});

test('with a call every millisecond a node makes 20 transactions a second, and 200 if calls wait for them', async (context) => {
  for (const [durability, most] of [
    ['process', 20],
    ['database', 200],
  ] as const) {
    const { journal, clock, bank } = await journalUnderTest(context, { durability });
    for (let ms = 0; ms < 1_000; ms += 1) {
      void journal.commit(settlementRows([sampleSettlement(ms)]));
      await turns();
      clock.advance(1);
    }
    await turns();
    const { length } = bank.sent;
    assert.ok(length <= most && length > 0.8 * most, `${length} transactions with durability ${durability}`);
    assert.equal(await withTime(journal.forwardAll(1_000), clock), true);
    assert.equal(bank.settled.size, 1_000);
  }
});

test('500 settlements do not wait, and what comes during a transaction goes with the next one', async (context) => {
  const { journal, clock, bank } = await journalUnderTest(context);
  bank.behaviour = 'hang';
  await commitMany(journal, 500);
  await turns();
  assert.deepEqual(
    bank.sent.map(({ calls }) => calls.length),
    [500],
  );
  await commitMany(journal, 300);
  clock.advance(1_000);
  await turns();
  assert.equal(bank.sent.length, 1, 'one transaction at a time');
  bank.release();
  await turns();
  assert.deepEqual(
    bank.sent.map(({ calls }) => calls.length),
    [500, 300],
  );
});

test('while more than 1,000 wait, two transactions run at a time', async (context) => {
  const { journal, clock, bank } = await journalUnderTest(context);
  bank.behaviour = 'away';
  for (let commit = 0; commit < 50; commit += 1) await commitMany(journal, 100);
  clock.advance(55);
  await turns();
  assert.equal(bank.lanesMax, 1, 'a bank that is away is asked once at a time');
  bank.behaviour = 'take';
  assert.equal(await withTime(journal.forwardAll(1_000), clock), true);
  assert.equal(bank.lanesMax, 2);
  assert.equal(bank.settled.size, 5_000);
});

test('settlements of different epochs go separately, whatever their order', async (context) => {
  const { journal, clock, bank } = await journalUnderTest(context);
  const rows = [3, 4, 3, 0].map((epoch, ms) => leased(sampleSettlement(ms), epoch));
  await journal.commit(rows);
  assert.equal(await withTime(journal.forwardAll(1_000), clock), true);
  assert.deepEqual(bank.sent, [
    { epoch: 3, calls: [idOf(rows[0]), idOf(rows[2])] },
    { epoch: 4, calls: [idOf(rows[1])] },
    { epoch: 0, calls: [idOf(rows[3])] },
  ]);
});

test('while the bank is away the journal tries again, less and less often, reports it once and loses nothing', async (context) => {
  const { journal, clock, bank, problems } = await journalUnderTest(context);
  bank.behaviour = 'away';
  await commitMany(journal, 7);
  const tried: number[] = [];
  for (let ms = 0; ms < 5_000; ms += 10) {
    clock.advance(10);
    await turns();
    if (bank.sent.length > tried.length) tried.push(ms + 10);
  }
  assert.deepEqual(tried, [50, 100, 200, 400, 800, 1_600, 2_600, 3_600, 4_600]);
  assert.deepEqual(
    problems.map(({ type, count }) => [type, count]),
    [['settlements_delayed', 7]],
  );
  bank.behaviour = 'take';
  journal.retryNow();
  await turns();
  assert.equal(bank.settled.size, 7);
  assert.deepEqual(journal.unsent, { calls: 0, from: null });
  const [, over, ...more] = problems;
  assert.deepEqual(
    [over, more],
    [{ type: 'settlements_delayed', count: 7, cause: null, overAfterMs: 5_000 - 50 }, []],
    'it says once that they are taken again, how many waited, and for how long',
  );
});

test('an interruption that was too short for a report has no end to report', async (context) => {
  const { journal, clock, bank, problems } = await journalUnderTest(context);
  bank.behaviour = 'away';
  await commitMany(journal, 2);
  clock.advance(50);
  await turns();
  bank.behaviour = 'take';
  assert.equal(await withTime(journal.forwardAll(1_000), clock), true);
  assert.deepEqual(problems, []);
});

test('what the bank took without answering is sent again, and counts once', async (context) => {
  const { journal, clock, bank, problems } = await journalUnderTest(context);
  bank.behaviour = 'lose';
  await commitMany(journal, 5);
  clock.advance(50);
  await turns();
  assert.equal(bank.settled.size, 5);
  assert.equal(journal.unsent.calls, 5);
  bank.behaviour = 'hang';
  clock.advance(50);
  await turns();
  clock.advance(10_000);
  bank.behaviour = 'take';
  await turns();
  clock.advance(100);
  await turns();
  bank.release();
  assert.equal(journal.unsent.calls, 0, 'the transaction that hung was given up');
  assert.equal(bank.sent.length, 3);
  assert.equal(bank.settled.size, 5);
  assert.deepEqual(problems, []);
});

test('forwardAll says whether the bank has everything within the time', async (context) => {
  const { journal, clock, bank } = await journalUnderTest(context);
  assert.equal(await journal.forwardAll(0), true, 'there is nothing');
  bank.behaviour = 'hang';
  await commitMany(journal, 2);
  const first = journal.forwardAll(100);
  clock.advance(100);
  assert.equal(await first, false);
  const second = journal.forwardAll(100);
  bank.release();
  assert.equal(await second, true);
});

test('a settlement that the bank refuses holds up no other one, and is tried again by the next process', async (context) => {
  const under = await journalUnderTest(context);
  const { journal, clock, bank, problems } = under;
  const rows = Array.from({ length: 40 }, (_, ms) => sampleSettlement(ms));
  const poison = (rows[17] as Settlement).callId;
  bank.refuses = (callId) => callId === poison;
  await journal.commit(rows.map((row) => settlementRow(row, { replay: sampleReplay(row) })));
  await commitMany(journal, 3);
  assert.equal(await withTime(journal.forwardAll(1_000), clock), true);
  assert.equal(bank.settled.size, 42);
  assert.ok(!bank.settled.has(poison));
  assert.deepEqual(
    problems.map(({ type, count }) => [type, count]),
    [['settlement_refused', 1]],
  );
  assert.match(String(problems[0]?.cause), new RegExp(poison));
  bank.refuses = () => false;
  const again = await under.reopen();
  assert.equal(await withTime(again.journal.forwardAll(1_000), again.clock), true);
  assert.equal(bank.settled.size, 43);
});

test('late settlements and those that differ from what the bank has are reported', async (context) => {
  const { journal, clock, bank, problems } = await journalUnderTest(context);
  const row = sampleSettlement(1);
  await journal.commit([settlementRow(row)]);
  await withTime(journal.forwardAll(100), clock);
  bank.late = { calls: 2, loss: nanoUsd(17n) };
  await journal.commit([settlementRow({ ...row, charge: nanoUsd(1n) })]);
  await withTime(journal.forwardAll(100), clock);
  assert.deepEqual(
    problems.map(({ type, count }) => [type, count]),
    [
      ['settlement_conflict', 1],
      ['settled_late', 2],
    ],
  );
  assert.match(String(problems[0]?.cause), new RegExp(row.callId));
  assert.match(String(problems[1]?.cause), /bears 17 nano-USD/);
  bank.late = { calls: 1, loss: nanoUsd(3n), isFault: true };
  await journal.commit([settlementRow(sampleSettlement(2))]);
  await withTime(journal.forwardAll(100), clock);
  assert.deepEqual(
    problems.slice(2).map(({ type, count }) => [type, count]),
    [['settled_unlent', 1]],
  );
  assert.equal(bank.settled.get(row.callId)?.settlement.charge, row.charge);
});

test('with a bank that loses, delays and doubles, each settlement is there once', async (context) => {
  const { journal, clock, bank } = await journalUnderTest(context);
  const sent: Settlement[] = [];
  for (let step = 0; step < 300; step += 1) {
    bank.behaviour = (['take', 'lose', 'away', 'take', 'hang'] as const)[(step * 7) % 5] as 'take';
    const row = sampleSettlement(step);
    sent.push(row);
    await journal.commit([leased(row, 1 + (step % 3))]);
    clock.advance((step * 13) % 90);
    if (step % 11 === 0) bank.release();
  }
  bank.release();
  assert.equal(await withTime(journal.forwardAll(60_000), clock), true);
  assert.deepEqual([...bank.settled.keys()].sort(), callIds(sent).sort());
  for (const row of sent) assert.deepEqual(bank.settled.get(row.callId)?.settlement, row);
});

function leased(settlement: Settlement, epoch: number): LedgerRow {
  return settlementRow(settlement, { lease: { epoch, rootId: keyId(3), budgets: 1, day: 0 } });
}

function idOf(row: LedgerRow | undefined): CallId {
  return (row as LedgerRow).settlement.callId;
}

function commitMany(journal: JournalUnderTest['journal'], count: number): Promise<void> {
  return journal.commit(settlementRows(Array.from({ length: count }, (_, ms) => sampleSettlement(1_000 + ms))));
}

/** Moves the clock, a few milliseconds at a time, until `promise` settles. */
async function withTime<Result>(promise: Promise<Result>, clock: JournalUnderTest['clock']): Promise<Result> {
  let isSettled = false;
  void promise.finally(() => {
    isSettled = true;
  });
  while (!isSettled) {
    await turns();
    clock.advance(5);
  }
  return promise;
}
