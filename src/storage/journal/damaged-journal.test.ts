/**
 * Goal: a journal that is not what was written is refused with what to do, or its damaged part is set aside and reported; never is a call charged
 * otherwise than it was settled, and nothing is lost in silence. Method: real files, changed at every place, cut, replaced, linked.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { ManualClock } from '../../core/clock.ts';
import type { CallId } from '../../core/ids.ts';
import type { Settlement } from '../../core/settlement.ts';
import { crashed, sampleSettlement, settlementRow, settlementRows } from '../contract/sample-rows.ts';
import type { StorageProblem } from '../storage.ts';
import { JOURNAL_FILE } from './journal-database.ts';
import { journalUnderTest, RecordingBank, turns } from './journal-under-test.ts';
import { openJournal } from './open-journal.ts';

const CALLS_EACH = 30;

/** What became of a journal: why it was refused, or what the bank and the operator got. */
interface Outcome {
  readonly refusal: string | null;
  readonly bank: RecordingBank;
  readonly problems: readonly StorageProblem[];
}

/** Small and large batches, in a file that has everything: without a log. */
async function written(): Promise<{ readonly bytes: Buffer; readonly calls: ReadonlyMap<CallId, Settlement> }> {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-test-'));
  const journal = await openJournal({
    folder,
    durability: 'process',
    clock: new ManualClock(),
    onProblem: () => undefined,
  });
  const calls = new Map<CallId, Settlement>();
  for (let commit = 0; commit < 20; commit += 1) {
    const settled = Array.from({ length: commit % 3 === 0 ? CALLS_EACH : 1 }, (_, ms) =>
      sampleSettlement(commit * 100 + ms),
    );
    for (const each of settled) calls.set(each.callId, each);
    await journal.commit(settlementRows(settled));
  }
  const held = sampleSettlement(9_000);
  calls.set(held.callId, crashed(held));
  await journal.commit([{ type: 'hold', settlement: crashed(held) }]);
  await journal.close();
  const bytes = readFileSync(join(folder, JOURNAL_FILE));
  rmSync(folder, { recursive: true });
  return { bytes, calls };
}

function openBytes(folder: string, bytes: Uint8Array): Promise<Outcome> {
  for (const end of ['', '-wal', '-shm']) rmSync(join(folder, JOURNAL_FILE + end), { force: true });
  writeFileSync(join(folder, JOURNAL_FILE), bytes);
  return openAndSend(folder, new RecordingBank());
}

async function openAndSend(folder: string, bank: RecordingBank): Promise<Outcome> {
  const [clock, problems] = [new ManualClock(), [] as StorageProblem[]];
  const onProblem = (problem: StorageProblem) => void problems.push(problem);
  try {
    const journal = await openJournal({ folder, durability: 'process', clock, onProblem });
    journal.connect(bank);
    let isOver = false;
    void journal.forwardAll(5_000).then(() => {
      isOver = true;
    });
    while (!isOver) {
      await turns();
      clock.advance(50);
    }
    await journal.close();
    return { refusal: null, bank, problems };
  } catch (error) {
    return { refusal: (error as Error).message, bank, problems };
  }
}

/** Throws unless the promise of this file is kept. */
function judge({ refusal, bank, problems }: Outcome, calls: ReadonlyMap<CallId, Settlement>, what: string): void {
  if (refusal !== null) {
    assert.match(
      refusal,
      /is damaged: .*Keep a copy|another program.*Move it away|newer version.*Start that version|cannot be used: .*then start again/,
      what,
    );
    return;
  }
  for (const [id, { settlement }] of bank.settled)
    assert.ok(isDeepStrictEqual(settlement, calls.get(id)), `${what}: call ${id} was settled differently`);
  const missing = calls.size - bank.settled.size;
  const reported = problems
    .filter(({ type }) => type === 'settlement_refused')
    .reduce((sum, { count }) => sum + count, 0);
  assert.ok(missing === 0 || reported > 0, `${what}: ${missing} calls were lost in silence`);
}

test('wherever a byte of the file is changed, no call is charged differently or lost in silence', async (context) => {
  const folder = folderFor(context);
  const { bytes, calls } = await written();
  judge(await openBytes(folder, bytes), calls, 'unchanged');
  let setAside = 0;
  // A prime, so that every page is met at other places; all of them would take minutes.
  for (let at = 0; at < bytes.length; at += 509) {
    const changed = Buffer.from(bytes);
    changed[at] = (changed[at] as number) ^ 0x10;
    const outcome = await openBytes(folder, changed);
    judge(outcome, calls, `byte ${at}`);
    if (outcome.refusal === null && outcome.bank.settled.size < calls.size) setAside += 1;
  }
  assert.ok(setAside > 0, 'some were set aside');
});

test('wherever the file is cut, the start says so, or everything is there', async (context) => {
  const folder = folderFor(context);
  const { bytes, calls } = await written();
  for (let length = 1; length < bytes.length; length += 4_099)
    judge(await openBytes(folder, bytes.subarray(0, length)), calls, `${length} bytes`);
});

test('what is set aside holds up nothing, and is tried again by the next process', async (context) => {
  const folder = folderFor(context);
  const [clock, bank] = [new ManualClock(), new RecordingBank()];
  const settled = [1, 2, 3].map((ms) => sampleSettlement(ms));
  const first = await openJournal({ folder, durability: 'process', clock, onProblem: () => undefined });
  for (const each of settled) await first.commit([settlementRow(each)]);
  await first.close();
  const file = new DatabaseSync(join(folder, JOURNAL_FILE));
  const { batch } = file.prepare('SELECT batch FROM outbox WHERE id = 2').get() as { batch: Uint8Array };
  const changed = Buffer.from(batch);
  changed[changed.length - 60] = (changed.at(-60) as number) ^ 1;
  file.prepare('UPDATE outbox SET batch = ? WHERE id = 2').run(changed);
  file.close();

  const { problems } = await openAndSend(folder, bank);
  assert.deepEqual([...bank.settled.keys()], [settled[0]?.callId, settled[2]?.callId]);
  assert.deepEqual(
    problems.map(({ type, count, cause }) => [type, count, String(cause)]),
    [['settlement_refused', 1, 'DamagedBatch: a part of the journal is damaged']],
  );

  const repaired = new DatabaseSync(join(folder, JOURNAL_FILE));
  repaired.prepare('UPDATE refused SET batch = ?').run(batch);
  repaired.close();
  assert.deepEqual((await openAndSend(folder, bank)).problems, []);
  assert.equal(bank.settled.size, 3);
});

test('a file that cannot be written says so, and keeps what is in it', async (context) => {
  const folder = folderFor(context);
  await (await open(folder)).close();
  const bytes = readFileSync(join(folder, JOURNAL_FILE));
  // A later version of the file's format, which may only be read: https://www.sqlite.org/fileformat2.html#file_format_version_numbers
  bytes[18] = 3;
  writeFileSync(join(folder, JOURNAL_FILE), bytes);
  await assert.rejects(open(folder), /journal\.db cannot be (used|opened): .*readonly/);
});

test('a database of another program is left alone', async (context) => {
  for (const version of [0, 1]) {
    const folder = folderFor(context);
    const file = new DatabaseSync(join(folder, JOURNAL_FILE));
    file.exec(`CREATE TABLE facts (name TEXT); CREATE TABLE theirs (x); PRAGMA user_version = ${version}`);
    file.close();
    await assert.rejects(
      open(folder),
      /is a database of another program, not a journal\. Move it away, or use another data folder/,
    );
    const after = new DatabaseSync(join(folder, JOURNAL_FILE), { readOnly: true });
    assert.deepEqual(
      after
        .prepare('SELECT name FROM sqlite_schema')
        .all()
        .map(({ name }) => name),
      ['facts', 'theirs'],
    );
    after.close();
  }
});

test('a journal of before has no sums, and is sent; an earlier version can go on with one that has', async (context) => {
  const folder = folderFor(context);
  const settled = sampleSettlement(1);
  const first = await open(folder);
  await first.commit([settlementRow(settled)]);
  await first.close();
  const file = new DatabaseSync(join(folder, JOURNAL_FILE));
  for (const table of ['outbox', 'refused', 'holds']) file.exec(`ALTER TABLE ${table} DROP COLUMN sum`);
  file.close();
  const under = await journalUnderTest(context, { folder });
  await under.journal.commit([settlementRow(sampleSettlement(2))]);
  await sent(under);
  assert.equal(under.bank.settled.size, 2);
  const earlier = new DatabaseSync(join(folder, JOURNAL_FILE));
  earlier.exec("INSERT INTO outbox (id, epoch, calls, admitted_from, batch) VALUES (9, 0, 1, 1, x'00')");
  earlier.close();
});

test('the journal of another installation is not sent to this one', async (context) => {
  const folder = folderFor(context);
  const first = await open(folder, 'one');
  await first.commit([settlementRow(sampleSettlement(1))]);
  await first.close();
  await assert.rejects(
    open(folder, 'other'),
    /belongs to another installation than this database\. Set database\.url \(DATABASE_URL\) to that one's database, .* or use another data folder/,
  );
  const again = await open(folder, 'one');
  assert.equal(again.unsent.calls, 1, 'nothing of it is lost');
  await again.close();
});

test('a journal that a link leads to is synced and checkpointed like every other', async (context) => {
  const folder = folderFor(context);
  const elsewhere = folderFor(context);
  await (await open(folder)).close();
  renameSync(join(folder, JOURNAL_FILE), join(elsewhere, 'moved.db'));
  symlinkSync(join(elsewhere, 'moved.db'), join(folder, JOURNAL_FILE));
  const under = await journalUnderTest(context, { folder, durability: 'database' });
  under.bank.behaviour = 'hang';
  const commit = under.journal.commit([settlementRow(sampleSettlement(1))]);
  await turns();
  under.clock.advance(500);
  await commit;
  under.bank.release();
});

test('a log that the disk does not sync: calls wait for the bank, no other call is admitted, and none is charged for a refusal', async (context) => {
  const under = await journalUnderTest(context, { durability: 'database' });
  const { journal, bank, clock, problems } = under;
  bank.behaviour = 'hang';
  const settled = sampleSettlement(1);
  let state = 'waiting';
  const commit = journal.commit([settlementRow(settled)]).then(
    () => (state = 'settled'),
    () => (state = 'rejected'),
  );
  await turns();
  renameSync(join(under.folder, `${JOURNAL_FILE}-wal`), join(under.folder, 'elsewhere'));
  clock.advance(500);
  while (!problems.some(({ type }) => type === 'commit_failed')) await turns();
  assert.equal(state, 'waiting');
  const health = journal.state();
  assert.match(
    health === 'ready' ? health : health.problem,
    /cannot be trusted after a failure .* fix the disk and restart/,
  );
  bank.release();
  await commit;
  assert.equal(state, 'settled');
  assert.ok(bank.settled.has(settled.callId));
  renameSync(join(under.folder, 'elsewhere'), join(under.folder, `${JOURNAL_FILE}-wal`));
});

async function sent({ journal, clock }: Awaited<ReturnType<typeof journalUnderTest>>): Promise<void> {
  let isOver = false;
  void journal.forwardAll(60_000).then(() => {
    isOver = true;
  });
  while (!isOver) {
    await turns();
    clock.advance(5);
  }
}

function open(folder: string, installation?: string) {
  return openJournal({
    folder,
    durability: 'process',
    clock: new ManualClock(),
    ...(installation === undefined ? {} : { installation }),
    onProblem: () => undefined,
  });
}

function folderFor(context: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-test-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
