/**
 * Goal: what a journal acknowledged is there after the process, whatever the disk does, and reaches the bank under the right epoch.
 * Method: real files, opened again without closing them, locked, full, damaged, copied, from another version.
 */
import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import type { LedgerRow } from '../../billing/ports.ts';
import { ManualClock } from '../../core/clock.ts';
import { accountId, keyId } from '../../core/ids.ts';
import { NO_MONEY, nanoUsd } from '../../core/money.ts';
import type { Settlement } from '../../core/settlement.ts';
import { callIds, crashed, sampleSettlement, settlementRow, settlementRows } from '../contract/sample-rows.ts';
import type { Journal } from './journal.ts';
import { JOURNAL_FILE } from './journal-database.ts';
import type { JournalDurability } from './journal-durability.ts';
import { type JournalUnderTest, journalUnderTest, turns } from './journal-under-test.ts';
import { openJournal } from './open-journal.ts';

test('a hold that a crash leaves is settled by the crash rule, under the epoch under which it was taken', async (context) => {
  const under = await journalUnderTest(context);
  const [first, second, third] = [1, 2, 3].map((ms) => sampleSettlement(ms)) as [Settlement, Settlement, Settlement];
  const lease = { epoch: 4, rootId: keyId(9), budgets: 3, day: 20_000 };
  await under.journal.commit([{ type: 'hold', settlement: crashed(first), lease }]);
  await under.journal.commit([{ type: 'hold', settlement: crashed(second) }]);
  await under.journal.commit([{ type: 'hold', settlement: crashed(third), lease }]);
  const delivered = { ...crashed(first), charge: nanoUsd(5n) };
  await under.journal.commit([{ type: 'checkpoint', settlement: delivered, lease }]);
  await under.journal.commit([settlementRow(third, { hadHold: true, lease })]);
  await under.journal.commit([{ type: 'checkpoint', settlement: crashed(third), lease }]);
  assert.equal(under.journal.recovered, 0);

  under.bank.behaviour = 'away';
  const again = await under.reopen();
  assert.equal(again.journal.recovered, 2);
  assert.deepEqual(again.journal.unsent, { calls: 3, from: 1 });
  under.bank.behaviour = 'take';
  await forward(again);
  const plain = { rootId: second.keyId, budgets: 0, day: 0 };
  assert.deepEqual(
    [first, second, third].map(({ callId }) => under.bank.settled.get(callId)),
    [
      { settlement: delivered, rootId: keyId(9), budgets: 3, day: 20_000 },
      { settlement: crashed(second), ...plain },
      { settlement: third, rootId: keyId(9), budgets: 3, day: 20_000 },
    ],
  );
  assert.deepEqual([...new Set(under.bank.sent.map(({ epoch }) => epoch))].sort(), [0, 4]);
  assert.equal((await again.reopen()).journal.recovered, 0, 'once');
});

test('a call that took its first money after its hold was written is settled as what that was lent', async (context) => {
  const under = await journalUnderTest(context);
  const call = sampleSettlement(1);
  const lease = { epoch: 4, rootId: keyId(9), budgets: 0, day: 20_000 };
  await under.journal.commit([{ type: 'hold', settlement: crashed(call), lease: { ...lease, epoch: 0 } }]);
  const delivered = { ...crashed(call), charge: nanoUsd(5n) };
  await under.journal.commit([{ type: 'checkpoint', settlement: delivered, lease }]);
  const again = await under.reopen();
  await forward(again);
  assert.deepEqual(under.bank.sent, [{ epoch: 4, calls: [call.callId] }]);
});

test('a call that begins and ends in one commit leaves no hold', async (context) => {
  const under = await journalUnderTest(context);
  const call = sampleSettlement(1);
  const rows: LedgerRow[] = [
    { type: 'hold', settlement: crashed(call) },
    { type: 'checkpoint', settlement: crashed(call) },
    settlementRow(call, { hadHold: true }),
  ];
  await under.journal.commit(rows);
  await forward(under);
  const again = await under.reopen();
  assert.equal(again.journal.recovered, 0);
  assert.deepEqual([...under.bank.settled.keys()], [call.callId]);
});

test('an invalid settlement refuses its commit alone, and the disk is not blamed', async (context) => {
  const under = await journalUnderTest(context);
  const rows = [1, 2, 3].map((ms) => settlementRow(sampleSettlement(ms)));
  const broken = settlementRow(sampleSettlement(4, { accountId: accountId(null as unknown as number) }));
  const commits = [...rows.slice(0, 2).map((row) => [row]), [rows[2] as LedgerRow, broken]];
  const results = await Promise.allSettled(commits.map((each) => under.journal.commit(each)));
  assert.deepEqual(
    results.map(({ status }) => status),
    ['fulfilled', 'fulfilled', 'rejected'],
  );
  await forward(under);
  assert.equal(under.bank.settled.size, 2);
  assert.equal(under.journal.state(), 'ready');
});

test('what the bank acknowledged is kept for a minute, and sent again if its history is another one', async (context) => {
  const under = await journalUnderTest(context);
  const { journal, bank, clock } = under;
  await journal.bankIs('7301/1');
  await journal.commit(settlementRows([sampleSettlement(1), sampleSettlement(2)]));
  await forward(under);
  clock.advance(30_000);
  await journal.commit([settlementRow(sampleSettlement(3))]);
  await forward(under);
  clock.advance(30_500);
  await turns();
  assert.equal(storedBatches(under), 2, 'the bank has not said which history it has now');
  await journal.bankIs('7301/1');
  clock.advance(250);
  await turns();
  assert.equal(storedBatches(under), 1, 'the older batch is gone');
  assert.equal(journal.unsent.calls, 0);
  bank.settled.clear();
  await journal.bankIs('7301/2');
  assert.equal(journal.unsent.calls, 1);
  await forward(under);
  assert.equal(bank.settled.size, 1);
  clock.advance(61_000);
  await journal.bankIs('7301/2');
  clock.advance(250);
  await turns();
  assert.equal(storedBatches(under), 0);
});

test('what was acknowledged a minute ago is deleted as fast as it was written', async (context) => {
  const under = await journalUnderTest(context);
  const commits = 3_000;
  for (let ms = 0; ms < commits; ms += 1) await under.journal.commit([settlementRow(sampleSettlement(ms))]);
  await forward(under);
  assert.equal(storedBatches(under), commits);
  under.clock.advance(60_000);
  for (let passedMs = 0; passedMs < 1_000; passedMs += 10) {
    under.clock.advance(10);
    await turns();
  }
  assert.equal(storedBatches(under), 0, 'a node that makes more commits than that a second must not fill its disk');
});

test('the next process does not send again what was acknowledged, unless the history of the bank is another one', async (context) => {
  const under = await journalUnderTest(context);
  await under.journal.bankIs('7301/1');
  await under.journal.commit([settlementRow(sampleSettlement(1))]);
  await forward(under);
  under.clock.advance(250);
  await turns();
  await under.journal.commit([settlementRow(sampleSettlement(2))]);
  assert.equal((await under.reopen()).journal.unsent.calls, 1);
  const again = await under.reopen();
  await again.journal.bankIs('7301/2');
  assert.equal(again.journal.unsent.calls, 2);
});

for (const [what, history, noticed] of [
  ['has another history', '7301/2', (journal: Journal) => journal.bankIs('7301/2')],
  ['has gone back', '7301/1', (journal: Journal) => journal.sendAgain()],
] as const)
  test(`a process that dies as soon as it knows that the bank ${what} leaves the rest to the next one`, async (context) => {
    const under = await journalUnderTest(context);
    await under.journal.bankIs('7301/1');
    await under.journal.commit([settlementRow(sampleSettlement(1))]);
    await forward(under);
    under.clock.advance(250);
    await turns();
    under.bank.settled.clear();
    under.bank.behaviour = 'away';
    await noticed(under.journal);
    const again = await under.reopen();
    await again.journal.bankIs(history);
    assert.equal(again.journal.unsent.calls, 1);
    under.bank.behaviour = 'take';
    await forward(again);
    assert.equal(under.bank.settled.size, 1);
  });

test('with durability `database` a commit waits until the bank has it', async (context) => {
  const under = await journalUnderTest(context, { durability: 'database' });
  const { journal, bank, clock, problems } = under;
  bank.behaviour = 'hang';
  const commit = watched(journal.commit([settlementRow(sampleSettlement(1))]));
  await journal.commit([{ type: 'hold', settlement: crashed(sampleSettlement(9)) }]);
  await turns();
  clock.advance(4);
  await turns();
  assert.equal(bank.sent.length, 0);
  clock.advance(1);
  await turns();
  assert.equal(bank.sent.length, 1, 'gathered for 5 ms');
  clock.advance(400);
  await turns();
  assert.equal(commit.state, 'waiting');
  bank.release();
  await turns();
  assert.equal(commit.state, 'fulfilled');
  assert.deepEqual(problems, []);
});

test('if the bank does not answer within 500 ms, commits end on this disk until it answers', async (context) => {
  const under = await journalUnderTest(context, { durability: 'database' });
  const { journal, bank, clock, problems } = under;
  bank.behaviour = 'hang';
  const commits = [watched(journal.commit([settlementRow(sampleSettlement(1))]))];
  await turns();
  clock.advance(300);
  commits.push(watched(journal.commit([settlementRow(sampleSettlement(2))])));
  await turns();
  clock.advance(200);
  await Promise.all(commits.map(({ promise }) => promise));
  await journal.commit([settlementRow(sampleSettlement(3))]);
  assert.deepEqual(
    problems.map(({ type, count }) => [type, count]),
    [['durability_lowered', 2]],
  );
  bank.release();
  await forward(under);
  bank.behaviour = 'hang';
  const fourth = watched(journal.commit([settlementRow(sampleSettlement(4))]));
  await turns();
  assert.equal(fourth.state, 'waiting', 'the bank takes settlements again');
  bank.release();
  await forward(under);
  await fourth.promise;
  assert.equal(bank.settled.size, 4);
  const over = problems.slice(1);
  assert.deepEqual(over, [{ type: 'durability_lowered', count: 3, cause: null, overAfterMs: 0 }]);
});

test('a bank that takes settlements, but slowly, keeps no further commit waiting', async (context) => {
  const { journal, bank, clock, problems } = await journalUnderTest(context, { durability: 'database' });
  bank.behaviour = 'hang';
  const first = journal.commit([settlementRow(sampleSettlement(1))]);
  await turns();
  clock.advance(500);
  await first;
  clock.advance(1_500);
  bank.release();
  bank.behaviour = 'hang';
  await turns();
  assert.equal(bank.settled.size, 1);
  await journal.commit([settlementRow(sampleSettlement(2))]);
  assert.equal(problems.length, 1);
  bank.release();
});

test('with durability `database` only the commit is rejected whose call has another settlement', async (context) => {
  const under = await journalUnderTest(context, { durability: 'database' });
  const [first, other] = [sampleSettlement(1), sampleSettlement(2)] as const;
  const before = watched(under.journal.commit([settlementRow(first)]));
  await turns();
  await forward(under);
  await before.promise;
  const commits = [
    watched(under.journal.commit([settlementRow({ ...first, charge: NO_MONEY })])),
    watched(under.journal.commit([settlementRow(other)])),
  ];
  await turns();
  await forward(under);
  await turns();
  assert.deepEqual(
    commits.map(({ state }) => state),
    ['rejected', 'fulfilled'],
  );
  assert.equal(under.bank.settled.get(first.callId)?.settlement.charge, first.charge);
  const again = watched(under.journal.commit([settlementRow(first)]));
  await turns();
  await forward(under);
  await again.promise;
});

test('with durability `power` a thread writes the journal', async (context) => {
  const under = await journalUnderTest(context, { durability: 'power' });
  const rows = Array.from({ length: 60 }, (_, ms) => sampleSettlement(ms));
  await Promise.all(rows.map((row) => under.journal.commit([settlementRow(row)])));
  assert.equal(under.journal.unsent.calls, 60);
  const again = await under.reopen();
  await forward(again);
  assert.deepEqual([...under.bank.settled.keys()].sort(), callIds(rows).sort());
});

test('a lock of another program delays commits and loses none', async (context) => {
  const under = await journalUnderTest(context);
  const other = new DatabaseSync(join(under.folder, JOURNAL_FILE));
  other.exec('BEGIN IMMEDIATE');
  const commit = watched(under.journal.commit([settlementRow(sampleSettlement(1))]));
  await turns();
  under.clock.advance(5);
  await turns();
  assert.equal(commit.state, 'waiting');
  other.exec('ROLLBACK');
  other.close();
  under.clock.advance(5);
  await commit.promise;
  assert.equal(under.journal.unsent.calls, 1);
});

test('with too much unsent, no call is admitted until the bank has it', async (context) => {
  const under = await journalUnderTest(context, { unsentBytesMax: 20_000 });
  under.bank.behaviour = 'away';
  await under.journal.commit(settlementRows([sampleSettlement(1)]));
  assert.equal(under.journal.state(), 'ready');
  await under.journal.commit(settlementRows(Array.from({ length: 100 }, (_, ms) => sampleSettlement(ms))));
  const state = under.journal.state();
  assert.match(state === 'ready' ? state : state.problem, /has 101 settlements that the database has not taken/);
  under.bank.behaviour = 'take';
  await forward(under);
  assert.equal(under.journal.state(), 'ready');
});

test('more than fits into memory is read from the file when it is sent', async (context) => {
  const under = await journalUnderTest(context);
  under.bank.behaviour = 'away';
  const rows: Settlement[] = [];
  for (let commit = 0; commit < 45; commit += 1) {
    const more = Array.from({ length: 2_000 }, (_, ms) => sampleSettlement(commit * 2_000 + ms));
    rows.push(...more);
    await under.journal.commit(settlementRows(more));
  }
  under.bank.behaviour = 'take';
  await forward(under);
  assert.deepEqual([...under.bank.settled.keys()].sort(), callIds(rows).sort());
});

test('a journal has an id for ever, and a fingerprint that its copy does not have', async (context) => {
  const under = await journalUnderTest(context);
  const again = await under.reopen();
  assert.equal(again.journal.id, under.journal.id);
  assert.equal(again.journal.fingerprint, under.journal.fingerprint);
  const folder = folderFor(context);
  for (const end of ['', '-wal'])
    copyFileSync(join(under.folder, JOURNAL_FILE + end), join(folder, JOURNAL_FILE + end));
  const copy = await open(context, folder);
  assert.equal(copy.id, under.journal.id);
  assert.notEqual(copy.fingerprint, under.journal.fingerprint);
  assert.equal(statSync(join(folder, JOURNAL_FILE)).mode & 0o777, 0o600);
});

test('a journal of a newer version and a damaged one are refused, with what to do', async (context) => {
  const newer = folderFor(context);
  await (await open(context, newer)).close();
  const database = new DatabaseSync(join(newer, JOURNAL_FILE));
  database.exec('PRAGMA user_version = 2');
  database.close();
  await assert.rejects(
    open(context, newer),
    /written by a newer version of Turnpike \(format 2, this version reads 1\)/,
  );
  const damaged = folderFor(context);
  writeFileSync(join(damaged, JOURNAL_FILE), 'this is not a database, it is a text of some length'.repeat(100));
  await assert.rejects(open(context, damaged), /journal.*is damaged: .*Keep a copy of it and remove it/);
});

/** Sends everything. */
async function forward({ journal, clock }: JournalUnderTest): Promise<void> {
  const sent = watched(journal.forwardAll(60_000));
  while (sent.state === 'waiting') {
    await turns();
    clock.advance(5);
  }
  assert.equal(await sent.promise, true);
}

function watched<Value>(promise: Promise<Value>) {
  const watch = { promise, state: 'waiting' as 'waiting' | 'fulfilled' | 'rejected' };
  promise.then(
    () => {
      watch.state = 'fulfilled';
    },
    () => {
      watch.state = 'rejected';
    },
  );
  return watch;
}

function storedBatches({ folder }: JournalUnderTest): number {
  const database = new DatabaseSync(join(folder, JOURNAL_FILE), { readOnly: true });
  const { count } = database.prepare('SELECT count(*) AS count FROM outbox').get() as { count: number };
  database.close();
  return count;
}

function folderFor(context: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-test-'));
  context.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

async function open(context: TestContext, folder: string, durability: JournalDurability = 'process'): Promise<Journal> {
  const journal = await openJournal({ folder, durability, clock: new ManualClock(), onProblem: () => undefined });
  context.after(() => journal.close().catch(() => undefined));
  return journal;
}
