/**
 * Goal: a cached day is never older than its file. Method: day files that are written to, removed and created
 * again, with the read time set relative to that of the file.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { dayText } from '../../../core/calendar.ts';
import { ManualClock } from '../../../core/clock.ts';
import { accountId } from '../../../core/ids.ts';
import { sampleRecord, sampleSettlement } from '../../contract/sample-rows.ts';
import { ReadDeadline, ReadTooLate } from '../../threads/read-deadline.ts';
import { DayFile } from '../records/day-file.ts';
import { type DayHistogram, DayHistograms, type DayQuestion } from './day-histograms.ts';

const DAY = 20_000;
const HOUR_MS = 3_600_000;
const ACME = accountId(1);
const WHOLE: DayQuestion = { day: DAY, accountId: ACME, firstHour: DAY * 24, endHour: DAY * 24 + 24 };

test('an unchanged day is read once', (context) => {
  const { write, histograms, later } = open(context);
  write(1, 2, 3);
  later();
  const first = histograms.read(WHOLE);
  assert.equal(callsOf(first), 3);
  assert.equal(histograms.read(WHOLE), first);
});

test('a day is read again after a write, or if the last write was very recent', (context) => {
  const { write, histograms, later } = open(context);
  write(1);
  const fresh = histograms.read(WHOLE);
  assert.notEqual(histograms.read(WHOLE), fresh);
  later();
  assert.equal(callsOf(histograms.read(WHOLE)), 1);
  write(2);
  assert.equal(callsOf(histograms.read(WHOLE)), 2);
});

test('a removed day has no calls any more', (context) => {
  const { path, write, histograms, later } = open(context);
  write(1);
  later();
  assert.equal(callsOf(histograms.read(WHOLE)), 1);
  for (const ending of ['', '-wal', '-shm']) rmSync(path + ending, { force: true });
  assert.equal(callsOf(histograms.read(WHOLE)), 0);
});

test('accounts and parts of a day are kept apart', (context) => {
  const { write, histograms, later } = open(context);
  write(1, 2, 3);
  later();
  assert.equal(callsOf(histograms.read(WHOLE)), 3);
  assert.equal(callsOf(histograms.read({ ...WHOLE, accountId: accountId(2) })), 0);
  assert.equal(callsOf(histograms.read({ ...WHOLE, firstHour: DAY * 24 + 2 })), 2);
});

test('cached days are returned only before the deadline', (context) => {
  const { write, histograms, later, clock } = open(context);
  write(1);
  later();
  histograms.read(WHOLE);
  clock.advance(2 * HOUR_MS);
  assert.throws(() => histograms.read(WHOLE), ReadTooLate);
});

function open(context: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-histograms-'));
  context.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, `${dayText(DAY)}.db`);
  // File times are those of the machine.
  const clock = new ManualClock(Date.now());
  const deadline = new ReadDeadline(clock);
  deadline.set(HOUR_MS);
  return {
    path,
    clock,
    histograms: new DayHistograms(folder, deadline, clock),
    later: () => clock.advance(60_000),
    /** A call in each of these hours. */
    write(...hours: number[]) {
      const file = new DayFile(path);
      file.insert(
        hours.map((hour) => sampleRecord(sampleSettlement((DAY * 24 + hour) * HOUR_MS, { accountId: ACME }))),
      );
      file.close();
    },
  };
}

function callsOf(histogram: DayHistogram): number {
  let calls = 0;
  for (const numbers of histogram.values())
    for (let at = 1; at < numbers.length; at += 2) calls += numbers[at] as number;
  return calls;
}
