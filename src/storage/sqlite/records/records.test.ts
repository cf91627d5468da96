/** Goal: records appear soon, use no more space than allowed, and never affect a call. */
import assert from 'node:assert/strict';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { DROPPED_LABELS } from '../../../core/call-labels.ts';
import { LIST_RATE } from '../../../core/rates/rate.ts';
import type { CallRecord } from '../../../stats/ports.ts';
import {
  bareRecord,
  callIds,
  sampleRecord,
  sampleSettlement,
  settlementRow,
  settlementRows,
} from '../../contract/sample-rows.ts';
import { openSqliteUnderTest, type SqliteUnderTest } from '../sqlite-under-test.ts';

const DAY_MS = 86_400_000;

test('records are written to the file of their day within a quarter of a second', async () => {
  const subject = await openSqliteUnderTest();
  subject.storage.records.append(sampleRecord(sampleSettlement(subject.clock.now())));
  assert.deepEqual(dayFiles(subject), []);
  subject.clock.advance(250);
  await nextTurn();
  await nextTurn();
  assert.equal(recordsIn(subject, '2026-11-21.db'), 1);
  await subject.dispose();
});

test('a call that began before midnight belongs to the day it began on', async () => {
  const subject = await openSqliteUnderTest();
  subject.storage.records.append(sampleRecord(sampleSettlement(Date.UTC(2026, 10, 20, 23, 59, 59, 999))));
  subject.storage.records.append(sampleRecord(sampleSettlement(Date.UTC(2026, 10, 21))));
  await subject.storage.records.drain();
  assert.deepEqual(dayFiles(subject), ['2026-11-20.db', '2026-11-21.db']);
  await subject.dispose();
});

test('the oldest days are removed if all together exceed the limit; today stays', async () => {
  const subject = await openSqliteUnderTest({ recordsBytesMax: 150_000 });
  const now = subject.clock.now();
  for (let day = 9; day >= 0; day -= 1)
    for (let row = 0; row < 100; row += 1)
      subject.storage.records.append(sampleRecord(sampleSettlement(now - day * DAY_MS + row)));
  await subject.storage.records.drain();
  subject.clock.advance(60_000);
  await subject.storage.records.drain();
  const left = dayFiles(subject);
  assert.ok(left.length < 10 && left.length > 0, String(left));
  assert.equal(left.at(-1), '2026-11-21.db');
  assert.deepEqual(subject.problems, []);
  await subject.dispose();
});

test('a single day above the limit is kept and reported once', async () => {
  const subject = await openSqliteUnderTest({ recordsBytesMax: 1_000 });
  for (let minute = 0; minute < 3; minute += 1) {
    subject.storage.records.append(sampleRecord(sampleSettlement(subject.clock.now())));
    await subject.storage.records.drain();
    subject.clock.advance(60_000);
  }
  assert.deepEqual(
    subject.problems.map((problem) => problem.type),
    ['records_over_limit'],
  );
  assert.equal((await subject.storage.records.tail({ after: null, limit: 10 })).length, 3);
  await subject.dispose();
});

test('records that cannot be written are counted and reported; later ones are written', async () => {
  const subject = await openSqliteUnderTest();
  const obstacle = join(subject.folder, 'records', '2026-11-21.db');
  writeFileSync(obstacle, 'not a database. '.repeat(250));
  for (let row = 0; row < 3; row += 1)
    subject.storage.records.append(sampleRecord(sampleSettlement(subject.clock.now())));
  await subject.storage.records.drain();
  assert.deepEqual(
    subject.problems.map(({ type, count }) => [type, count]),
    [['records_lost', 3]],
  );
  assert.equal(subject.storage.health(), 'ready');
  rmSync(obstacle);
  const later = sampleRecord(sampleSettlement(subject.clock.now()));
  subject.storage.records.append(later);
  assert.deepEqual(await subject.storage.records.tail({ after: null, limit: 10 }), [later]);
  await subject.dispose();
});

test('a record that cannot be packed does not affect the next one', async () => {
  const subject = await openSqliteUnderTest();
  const [broken, sound] = [0, 1].map((ms) => sampleRecord(sampleSettlement(subject.clock.now() + ms))) as [
    CallRecord,
    CallRecord,
  ];
  const attempts = broken.attempts.map((attempt) => ({ ...attempt, durationMs: Number.NaN }));
  subject.storage.records.append({ ...broken, attempts });
  await subject.storage.records.drain();
  assert.deepEqual(
    subject.problems.map(({ type, count }) => [type, count]),
    [['records_lost', 1]],
  );
  subject.storage.records.append(sound);
  assert.deepEqual(await subject.storage.records.tail({ after: null, limit: 9 }), [sound]);
  await subject.dispose();
});

test('the name that was asked for is read as it was written, and most records have none', async () => {
  const subject = await openSqliteUnderTest();
  const records = ['team/default', 'gpt-5:floor', null, '灯'].map((asked, ms) =>
    sampleRecord(sampleSettlement(subject.clock.now() + ms), { asked }),
  );
  for (const record of records) subject.storage.records.append(record);
  await subject.storage.records.drain();
  assert.deepEqual(await subject.storage.records.tail({ after: null, limit: 9 }), records);
  await subject.dispose();
});

test('labels are read as they were written, whatever their names', async () => {
  const subject = await openSqliteUnderTest();
  const metadata = Object.fromEntries([
    ['__proto__', 'x'],
    ['tide', ''],
    ['灯', 'a:b'],
  ]);
  const all = [
    { user: 'user-1', app: 'Harbour', referer: 'https://harbour.example/', metadata, isCut: true },
    { user: null, app: null, referer: null, metadata: {}, isCut: false },
    DROPPED_LABELS,
    null,
  ];
  const records = all.map((labels, ms) => sampleRecord(sampleSettlement(subject.clock.now() + ms), { labels }));
  for (const record of records) subject.storage.records.append(record);
  await subject.storage.records.drain();
  assert.deepEqual(await subject.storage.records.tail({ after: null, limit: 9 }), records);
  await subject.dispose();
});

test('a day file contains its own names, and uses less than 220 bytes per record at the list price', async () => {
  const subject = await openSqliteUnderTest();
  const listed = { rate: LIST_RATE, ownCredential: false };
  const records = Array.from({ length: 2_000 }, (_, ms) =>
    sampleRecord(sampleSettlement(subject.clock.now() + ms, listed)),
  );
  for (const record of records) subject.storage.records.append(record);
  await subject.storage.records.drain();
  const database = new DatabaseSync(join(subject.folder, 'records', '2026-11-21.db'));
  const { count } = database
    .prepare(
      `SELECT count(*) AS count FROM records JOIN names ON names.id = records.model
       WHERE names.name = 'acme/large' AND prompt_tokens = 532 AND completion_tokens = 224 AND duration_us = 812500`,
    )
    .get() as { count: number };
  assert.equal(count, records.length);
  const { bytes } = database
    .prepare('SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()')
    .get() as { bytes: number };
  database.close();
  assert.ok(bytes / records.length < 220, `${bytes / records.length} bytes`);
  await subject.dispose();
});

test('a locked day file keeps records waiting, in order, and loses none', async () => {
  const subject = await openSqliteUnderTest();
  const rows = [0, 1, 2].map((ms) => sampleRecord(sampleSettlement(subject.clock.now() + ms)));
  subject.storage.records.append(rows[0] as (typeof rows)[0]);
  await subject.storage.records.drain();
  const other = new DatabaseSync(join(subject.folder, 'records', '2026-11-21.db'));
  other.exec('BEGIN IMMEDIATE');
  for (const row of rows.slice(1)) subject.storage.records.append(row);
  assert.deepEqual(callIds(await subject.storage.records.tail({ after: null, limit: 9 })), callIds(rows.slice(0, 1)));
  other.exec('COMMIT');
  other.close();
  assert.deepEqual(callIds(await subject.storage.records.tail({ after: null, limit: 9 })), callIds(rows));
  assert.deepEqual(subject.problems, []);
  await subject.dispose();
});

test('records that were lost are rebuilt from their settlements at the next start', async () => {
  let subject = await openSqliteUnderTest();
  const now = subject.clock.now();
  const settled = [-90 * 60_000, 0].map((ms) => sampleSettlement(now + ms));
  await subject.storage.ledger.commit(settlementRows(settled));
  const obstacle = join(subject.folder, 'records', '2026-11-21.db');
  writeFileSync(obstacle, 'not a database. '.repeat(250));
  for (const row of settled) subject.storage.records.append(sampleRecord(row));
  await subject.storage.records.drain();
  rmSync(obstacle);
  subject = await subject.reopen();
  assert.deepEqual(await subject.storage.records.tail({ after: null, limit: 9 }), settled.map(bareRecord));
  await subject.dispose();
});

test('after a clean stop nothing is rebuilt', async () => {
  let subject = await openSqliteUnderTest();
  await subject.storage.ledger.commit([settlementRow(sampleSettlement(subject.clock.now()))]);
  subject = await subject.reopen();
  assert.deepEqual(await subject.storage.records.tail({ after: null, limit: 9 }), []);
  await subject.dispose();
});

function dayFiles(subject: SqliteUnderTest): string[] {
  return readdirSync(join(subject.folder, 'records'))
    .filter((name) => name.endsWith('.db'))
    .sort();
}

function recordsIn(subject: SqliteUnderTest, name: string): number {
  const database = new DatabaseSync(join(subject.folder, 'records', name));
  const { count } = database.prepare('SELECT count(*) AS count FROM records').get() as { count: number };
  database.close();
  return count;
}

test('labels of waiting records use limited memory; records beyond the limit are stored without them', async () => {
  const subject = await openSqliteUnderTest();
  const now = subject.clock.now();
  const recordAt = (ms: number) =>
    sampleRecord(sampleSettlement(now + ms), {
      labels: { user: 'u'.repeat(1024), app: null, referer: null, metadata: {}, isCut: false },
    });
  const limitKib = 16 * 1024;
  // Each record uses 2 KiB of 16 MiB.
  for (let ms = 0; ms < limitKib / 2 + 3; ms += 1) subject.storage.records.append(recordAt(ms));
  const beyond = (await subject.storage.records.tail({ after: null, limit: 4 })).map(({ labels }) => labels);
  assert.deepEqual(beyond, [recordAt(0).labels, DROPPED_LABELS, DROPPED_LABELS, DROPPED_LABELS]);
  const later = recordAt(limitKib);
  subject.storage.records.append(later);
  assert.deepEqual(await subject.storage.records.tail({ after: null, limit: 1 }), [later], 'writing frees memory');
  assert.deepEqual(subject.problems, []);
  await subject.dispose();
});
