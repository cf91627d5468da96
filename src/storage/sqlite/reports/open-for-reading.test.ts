/** Goal: reading never writes, and no query runs past its deadline. Method: a query without a match over many rows. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { ManualClock } from '../../../core/clock.ts';
import { accountId } from '../../../core/ids.ts';
import { sampleRecord, sampleSettlement } from '../../contract/sample-rows.ts';
import { readActivity } from '../../sql/reports/read-activity.ts';
import { ReadDeadline, ReadTooLate } from '../../threads/read-deadline.ts';
import { openDatabase } from '../engine/open-database.ts';
import { openSqliteUnderTest } from '../sqlite-under-test.ts';
import { openForReading } from './open-for-reading.ts';
import { findByUpstreamId } from './read-call.ts';
import { reportParts, runSteps } from './run-steps.ts';

const NOW = Date.UTC(2026, 10, 21, 12);

test('a missing file is reported as null, and is not created', (context) => {
  const path = join(folder(context), 'none.db');
  assert.equal(openForReading(path, new ReadDeadline(new ManualClock())), null);
  assert.equal(openForReading(path, new ReadDeadline(new ManualClock())), null);
});

test('a database opened for reading cannot be written', (context) => {
  const path = join(folder(context), 'some.db');
  const writer = openDatabase(path, 'NORMAL');
  writer.exec('CREATE TABLE facts (name TEXT)');
  const reader = openForReading(path, new ReadDeadline(new ManualClock()));
  assert.throws(() => reader?.exec("INSERT INTO facts VALUES ('one')"), /readonly/);
  reader?.close();
  writer.close();
});

test('a deadline passes with time', () => {
  const clock = new ManualClock();
  const deadline = new ReadDeadline(clock);
  deadline.set(2_000);
  clock.advance(2_000);
  deadline.check();
  clock.advance(1);
  assert.throws(() => deadline.check(), ReadTooLate);
});

test('a search without a match ends at the deadline, not at the last row', async (context) => {
  const subject = await openSqliteUnderTest();
  context.after(() => subject.dispose());
  for (let row = 0; row < 100; row += 1) subject.storage.records.append(sampleRecord(sampleSettlement(NOW + row)));
  await subject.storage.records.drain();
  const deadline = new LateAfter(10);
  const search = () =>
    findByUpstreamId(
      join(subject.folder, 'records'),
      'msg_none',
      { accountId: accountId(1), projectId: null },
      deadline,
    );
  assert.throws(search, ReadTooLate);
  assert.equal(deadline.checks, 11);
});

test('sums end at the deadline, row by row', async (context) => {
  const subject = await openSqliteUnderTest();
  context.after(() => subject.dispose());
  const settlements = Array.from({ length: 20 }, (_, index) => sampleSettlement(NOW, { model: `acme/${index}` }));
  await subject.storage.ledger.commit(
    settlements.map((settlement) => ({ type: 'settlement', settlement, hadHold: false, replay: null })),
  );
  const deadline = new LateAfter(5);
  const ledger = openForReading(subject.databasePath, deadline);
  context.after(() => ledger?.close());
  assert.ok(ledger !== null);
  const today = Math.floor(NOW / 86_400_000);
  const query = { accountId: accountId(1), projectId: null, keyId: null, firstDay: today - 30, lastDay: today };
  const report = readActivity(reportParts(deadline), query, 100);
  assert.throws(() => runSteps({ ledger }, deadline, report), ReadTooLate);
  assert.equal(deadline.checks, 6);
});

/** Expires after a number of checks, whatever the time. */
class LateAfter extends ReadDeadline {
  checks = 0;
  readonly #most: number;

  constructor(most: number) {
    super(new ManualClock());
    this.#most = most;
  }

  override check(): void {
    this.checks += 1;
    if (this.checks > this.#most) throw new ReadTooLate('late');
  }
}

function folder(context: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), 'turnpike-test-'));
  context.after(() => rmSync(path, { recursive: true }));
  return path;
}

test('a long read yields its core from time to time', () => {
  const clock = new ManualClock();
  const pauses: number[] = [];
  const deadline = new ReadDeadline(clock, (ms) => pauses.push(ms));
  deadline.set(1_000);
  deadline.check();
  assert.deepEqual(pauses, []);
  clock.advance(1);
  deadline.check();
  deadline.check();
  assert.equal(pauses.length, 1);
  clock.advance(1);
  deadline.check();
  assert.equal(pauses.length, 2);
});
