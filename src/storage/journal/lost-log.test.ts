/**
 * Goal: settlements that callers know of, and which the bank may not have, are never missing in silence: not if the journal's log is damaged, cut
 * or gone, nor if the journal is. Method: the files that `kill -9` leaves, changed at every place.
 */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { ManualClock } from '../../core/clock.ts';
import { sampleSettlement, settlementRow } from '../contract/sample-rows.ts';
import { JOURNAL_FILE } from './journal-database.ts';
import type { JournalDurability } from './journal-durability.ts';
import { JournalMark, MARK_FILE, readMark } from './journal-mark.ts';
import { type JournalUnderTest, journalUnderTest, RecordingBank, turns } from './journal-under-test.ts';
import { openJournal } from './open-journal.ts';

/** What the bank of a killed process did not have. */
const SETTLED = Array.from({ length: 12 }, (_, at) => sampleSettlement(at + 1));
const LOG_FILE = `${JOURNAL_FILE}-wal`;
/** https://www.sqlite.org/fileformat2.html#the_write_ahead_log */
const LOG_HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
const PAGE_BYTES = 4_096;

type Files = ReadonlyMap<string, Buffer>;

/** What `kill -9` leaves of a journal whose bank has the first commits, but not these. */
async function killed(context: TestContext, durability: JournalDurability): Promise<Files> {
  const under = await journalUnderTest(context, { durability });
  const first = under.journal.commit([settlementRow(sampleSettlement(0))]);
  await turns();
  await sent(under);
  await first;
  await noted(under);
  under.bank.behaviour = 'hang';
  for (const each of SETTLED) {
    const settled = under.journal.commit([settlementRow(each)]);
    // The bank does not answer in time.
    if (durability === 'database') await turns();
    under.clock.advance(600);
    await settled;
  }
  const files = filesOf(under.folder);
  under.bank.release();
  return files;
}

function filesOf(folder: string): Files {
  // SQLite makes the index of the log again.
  const names = readdirSync(folder).filter((name) => name.startsWith('journal.') && !name.endsWith('-shm'));
  return new Map(names.map((name) => [name, readFileSync(join(folder, name))]));
}

/** Null if a journal with these files starts and its bank then has every call, otherwise the refusal, or `silence`. */
async function start(folder: string, files: Files, durability: JournalDurability = 'process'): Promise<string | null> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  for (const [name, bytes] of files) writeFileSync(join(folder, name), bytes);
  const [clock, bank] = [new ManualClock(), new RecordingBank()];
  let journal: Awaited<ReturnType<typeof openJournal>>;
  try {
    journal = await openJournal({ folder, durability, clock, onProblem: () => undefined });
  } catch (error) {
    return (error as Error).message;
  }
  journal.connect(bank);
  await sent({ journal, clock });
  await journal.close();
  return SETTLED.every(({ callId }) => bank.settled.has(callId)) ? null : 'silence';
}

const REFUSAL =
  /lacks up to \d+ commits of settlements that the database may not have: .* Put back what was there; or keep a copy of .* and remove journal\.mark: the node then starts/;

for (const durability of ['process', 'power', 'database'] as const)
  test(`wherever a byte of the log is changed, the start says that settlements are missing (${durability})`, async (context) => {
    const folder = folderFor(context);
    const files = await killed(context, durability);
    const log = files.get(LOG_FILE) as Buffer;
    assert.equal(await start(folder, files, durability), null, 'unchanged');
    const frameBytes = FRAME_HEADER_BYTES + PAGE_BYTES;
    const frames = (log.length - LOG_HEADER_BYTES) / frameBytes;
    assert.ok(Number.isInteger(frames) && frames > SETTLED.length, `${frames} frames`);
    const places = [0, 5, 9, 12, 16, 20, 24, 28];
    for (let frame = 0; frame < frames; frame += 1)
      for (const place of [3, 7, 8, 12, 16, 20, 24, 2_000 + frame, frameBytes - 1])
        places.push(LOG_HEADER_BYTES + frame * frameBytes + place);
    for (const at of places) {
      const changed = Buffer.from(log);
      changed[at] = (changed[at] as number) ^ 0x10;
      const refusal = await start(folder, new Map(files).set(LOG_FILE, changed), durability);
      assert.match(refusal ?? 'not refused', REFUSAL, `byte ${at}`);
      assert.deepEqual(readFileSync(join(folder, LOG_FILE)), changed, 'nothing of it is removed');
    }
  });

test('a log or a journal that is cut, gone, or older than what was promised is noticed', async (context) => {
  const folder = folderFor(context);
  const files = await killed(context, 'process');
  const log = files.get(LOG_FILE) as Buffer;
  for (let length = 0; length < log.length; length += 3_001)
    assert.match(
      (await start(folder, new Map(files).set(LOG_FILE, log.subarray(0, length)))) ?? '',
      REFUSAL,
      `${length} bytes`,
    );
  assert.match((await start(folder, without(files, LOG_FILE))) ?? '', REFUSAL);
  assert.match((await start(folder, without(files, LOG_FILE, JOURNAL_FILE))) ?? '', REFUSAL);
  assert.match((await start(folder, without(files, LOG_FILE).set(JOURNAL_FILE, Buffer.alloc(0)))) ?? '', REFUSAL);
  const others = filesOf((await journalUnderTest(context)).folder);
  assert.match((await start(folder, new Map(others).set(MARK_FILE, files.get(MARK_FILE) as Buffer))) ?? '', REFUSAL);
});

test('a log without its journal is kept', async (context) => {
  const folder = folderFor(context);
  const files = await killed(context, 'process');
  for (const changed of [without(files, JOURNAL_FILE), new Map(files).set(JOURNAL_FILE, Buffer.alloc(0))])
    for (const each of [changed, without(changed, MARK_FILE)]) {
      assert.match(
        (await start(folder, each)) ?? '',
        /the file is gone or empty, and its log is there\. Put back .* remove journal\.db-wal/,
      );
      assert.ok(
        filesOf(folder)
          .get(LOG_FILE)
          ?.equals(files.get(LOG_FILE) as Buffer),
      );
    }
});

test('who follows the advice starts with what is left', async (context) => {
  const folder = folderFor(context);
  const files = await killed(context, 'process');
  const changed = (files.get(LOG_FILE) as Buffer).subarray(0, -1);
  assert.match((await start(folder, new Map(files).set(LOG_FILE, changed))) ?? '', /lacks up to 1 commits/);
  rmSync(join(folder, MARK_FILE));
  const again = await journalUnderTest(context, { folder });
  assert.equal(again.journal.unsent.calls, SETTLED.length - 1);
  await again.journal.commit([settlementRow(sampleSettlement(99))]);
  assert.ok(readMark(folder)?.promised, 'and has a mark again');
});

test('what the bank has is not missed: a journal that has sent everything may go', async (context) => {
  const folder = folderFor(context);
  const under = await journalUnderTest(context);
  await under.journal.commit([settlementRow(sampleSettlement(1))]);
  await sent(under);
  await noted(under);
  const files = without(filesOf(under.folder), JOURNAL_FILE, LOG_FILE);
  assert.equal(readMark(under.folder)?.promised, 1);
  rmSync(folder, { recursive: true });
  mkdirSync(folder);
  for (const [name, bytes] of files) writeFileSync(join(folder, name), bytes);
  const again = await journalUnderTest(context, { folder });
  assert.deepEqual(again.problems, []);
  assert.equal(readMark(folder)?.promised, 0);
});

test('with `database`, nothing is promised as long as the bank answers', async (context) => {
  const under = await journalUnderTest(context, { durability: 'database' });
  const commit = under.journal.commit([settlementRow(sampleSettlement(1))]);
  await turns();
  await sent(under);
  await commit;
  assert.equal(readMark(under.folder)?.promised, 0);
});

test('a power failure that `process` does not survive is reported, and the node starts', async (context) => {
  const folder = folderFor(context);
  const files = await killed(context, 'process');
  assert.equal(await start(folder, files), null);
  const id = readMark(folder)?.id ?? '';
  const mark = new JournalMark({ folder, id, boot: 'an earlier one', onFailure: assert.ifError });
  mark.promise(99, 0);
  mark.close();
  const again = await journalUnderTest(context, { folder });
  assert.deepEqual(
    again.problems.map(({ type, count }) => [type, count]),
    [['settlements_lost', 99 - 1 - SETTLED.length]],
  );
  assert.match(String(again.problems[0]?.cause), /up to 86 commits .* operator bears .* durability: power or database/);
});

test('a mark that cannot be written is reported once, and settles all the same', (context) => {
  const folder = folderFor(context);
  const failures: unknown[] = [];
  const mark = new JournalMark({ folder, id: 'x', boot: '', onFailure: (error) => failures.push(error) });
  mark.close();
  mark.promise(1, 0);
  mark.promise(2, 0);
  assert.equal(failures.length, 1);
});

test('a mark that is damaged, or of a version before, refuses nothing', async (context) => {
  const folder = folderFor(context);
  const files = await killed(context, 'process');
  const bytes = Buffer.from(files.get(MARK_FILE) as Buffer);
  bytes[80] = (bytes[80] as number) ^ 1;
  for (const damaged of [bytes, bytes.subarray(1), Buffer.alloc(0)])
    assert.equal(await start(folder, new Map(files).set(MARK_FILE, damaged)), null);
  assert.equal(await start(folder, without(files, MARK_FILE)), null);
});

test('what is in the place of the journal and is no file, or leads nowhere, is left alone', async (context) => {
  const folder = folderFor(context);
  const path = join(folder, JOURNAL_FILE);
  const open = () =>
    openJournal({ folder, durability: 'process', clock: new ManualClock(), onProblem: () => undefined });
  mkdirSync(path);
  await assert.rejects(open, /journal\.db is not a file\. Move it away; then start again\./);
  rmSync(path, { recursive: true });
  for (const target of [join(folder, 'unmounted', 'journal.db'), join(folder, 'other.db'), path]) {
    symlinkSync(target, path);
    await assert.rejects(
      open,
      /is a link to .*, which is not there\. Mount its disk; or, .* create it as an empty file\./,
    );
    rmSync(path);
  }
  assert.deepEqual(readdirSync(folder), []);
  writeFileSync(path, '');
  mkdirSync(join(folder, LOG_FILE));
  await assert.rejects(
    open,
    /journal\.db cannot be used: .* Check that its disk has space and works, and that this user may write/,
  );
});

function without(files: Files, ...names: readonly string[]): Map<string, Buffer> {
  return new Map([...files].filter(([name]) => !names.includes(name)));
}

async function sent({ journal, clock }: Pick<JournalUnderTest, 'journal' | 'clock'>): Promise<void> {
  let isOver = false;
  void journal.forwardAll(60_000).then(() => {
    isOver = true;
  });
  while (!isOver) {
    await turns();
    clock.advance(5);
  }
}

/** The journal notes from time to time what the bank has. */
async function noted({ clock }: Pick<JournalUnderTest, 'clock'>): Promise<void> {
  clock.advance(300);
  await turns();
}

function folderFor(context: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-test-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
