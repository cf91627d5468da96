/**
 * Goal: what the bank refused is listed with the reason, and sent again when an operator asks, once. Method: a real journal, a clock that the
 * test moves, and a bank that refuses what the test says.
 */
import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import type { CallId } from '../../core/ids.ts';
import { sampleReplay, sampleSettlement, settlementRow } from '../contract/sample-rows.ts';
import { type JournalUnderTest, journalUnderTest, turns } from './journal-under-test.ts';
import { setAsideInFolder } from './set-aside.ts';

/** Resolves to what `asked` does, while time passes. */
async function passing<Result>({ clock }: JournalUnderTest, asked: Promise<Result>): Promise<Result> {
  let isOver = false;
  const over = asked.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    clock.advance(50);
    await turns();
  }
  return over;
}

async function withRefused(under: JournalUnderTest, count: number, ms = 0): Promise<readonly CallId[]> {
  const settled = Array.from({ length: count }, (_, each) => sampleSettlement(ms + each));
  const ids = settled.map(({ callId }) => callId);
  const { refuses } = under.bank;
  under.bank.refuses = (id) => ids.includes(id) || refuses(id);
  await under.journal.commit(settled.map((each) => settlementRow(each, { replay: sampleReplay(each) })));
  assert.equal(await passing(under, under.journal.forwardAll(10_000)), true);
  return ids;
}

test('what is refused is listed, the oldest first, with its account, its charge and what the bank said', async (context) => {
  const under = await journalUnderTest(context);
  assert.deepEqual(under.journal.setAside.list(10), { calls: [], count: 0 });
  const ids = await withRefused(under, 3);
  const { accountId, charge, admittedAt } = sampleSettlement(0);
  const { calls, count } = under.journal.setAside.list(2);
  assert.equal(count, 3);
  assert.deepEqual(calls[0], { callId: ids[0], accountId, admittedAt, charge, reason: 'value out of range' });
  assert.deepEqual(
    calls.map(({ callId }) => callId),
    ids.slice(0, 2),
  );
  const fromFile = setAsideInFolder(under.folder, 10);
  assert.deepEqual([fromFile?.count, fromFile?.calls.map(({ reason }) => reason)], [3, [null, null, null]]);
});

test('it is sent again when an operator asks: what the bank takes then counts once, and the end is reported', async (context) => {
  const under = await journalUnderTest(context);
  const { journal, bank, problems } = under;
  const ids = await withRefused(under, 450);
  problems.splice(0);
  bank.refuses = (id) => id === ids[7];
  assert.deepEqual(await passing(under, journal.setAside.sendAgain(10_000)), {
    sent: 450,
    refused: 1,
    isAnswered: true,
  });
  assert.equal(bank.settled.size, 449);
  assert.deepEqual(
    journal.setAside.list(10).calls.map(({ callId, reason }) => [callId, reason]),
    [[ids[7], 'value out of range']],
  );
  bank.refuses = () => false;
  assert.deepEqual(await passing(under, journal.setAside.sendAgain(10_000)), { sent: 1, refused: 0, isAnswered: true });
  assert.equal(bank.settled.size, 450);
  assert.deepEqual(journal.unsent, { calls: 0, from: null });
  const [again, over, ...more] = problems;
  assert.deepEqual([again?.type, again?.overAfterMs, more], ['settlement_refused', undefined, []]);
  assert.ok(over?.type === 'settlement_refused' && over.count === 1 && (over.overAfterMs ?? 0) > 0);
  assert.deepEqual(await journal.setAside.sendAgain(10_000), { sent: 0, refused: 0, isAnswered: true });
  assert.equal(setAsideInFolder(under.folder, 10)?.count, 0);
});

test('while the bank is away they wait with everything else, and another refusal meanwhile is listed', async (context) => {
  const under = await journalUnderTest(context);
  const { journal, bank } = under;
  await withRefused(under, 2);
  bank.behaviour = 'away';
  assert.deepEqual(await passing(under, journal.setAside.sendAgain(1_000)), { sent: 2, refused: 0, isAnswered: false });
  assert.equal(journal.unsent.calls, 2);
  bank.behaviour = 'take';
  bank.refuses = () => false;
  const [late] = await withRefused(under, 1, 100);
  assert.equal(bank.settled.size, 2);
  assert.deepEqual(
    journal.setAside.list(10).calls.map(({ callId }) => callId),
    [late],
  );
});

test('a damaged one has no call, and is refused again', async (context) => {
  const under = await journalUnderTest(context);
  const { journal, bank, folder } = under;
  await withRefused(under, 1);
  const file = new DatabaseSync(`${folder}/journal.db`);
  file.exec("UPDATE refused SET batch = x'0102'");
  file.close();
  bank.refuses = () => false;
  assert.deepEqual(
    journal.setAside.list(10).calls.map(({ callId, reason }) => [callId, reason]),
    [[null, 'damaged in the journal']],
  );
  assert.deepEqual(await passing(under, journal.setAside.sendAgain(10_000)), { sent: 1, refused: 1, isAnswered: true });
});
