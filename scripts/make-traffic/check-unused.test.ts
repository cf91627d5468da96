/** Goal: bulk traffic meets no other calls, and old ones do not prevent it. Method: the rows that count, by hand. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { dayOf, hourOf } from '../../src/core/calendar.ts';
import { checkUnused, Refusal } from './check-unused.ts';

const DAY_MS = 86_400_000;
const nowMs = Date.UTC(2026, 5, 15, 12);
const size = { days: 30, nowMs };

const ROWS: Readonly<Record<string, (atMs: number) => readonly [string, number]>> = {
  'an hour’s sum': (atMs) => ['INSERT INTO rollups_hour VALUES (?)', hourOf(atMs)],
  'a day’s sum': (atMs) => ['INSERT INTO rollups_day VALUES (?)', dayOf(atMs)],
  'a settlement': (atMs) => ['INSERT INTO settlements VALUES (?)', atMs],
};

for (const [name, rowAt] of Object.entries(ROWS)) {
  test(`${name} of those days is refused, an older one is not`, (context) => {
    const folder = mkdtempSync(join(tmpdir(), 'turnpike-traffic-'));
    context.after(() => rmSync(folder, { recursive: true }));
    const database = new DatabaseSync(join(folder, 'turnpike.db'));
    context.after(() => database.close());
    database.exec(
      'CREATE TABLE rollups_hour (start); CREATE TABLE rollups_day (start); CREATE TABLE settlements (admitted_at)',
    );
    const insert = (atMs: number) => {
      const [sql, value] = rowAt(atMs);
      database.prepare(sql).run(value);
    };
    insert(nowMs - 100 * DAY_MS);
    checkUnused(folder, size);
    insert(nowMs - 29 * DAY_MS);
    assert.throws(() => checkUnused(folder, size), Refusal);
  });
}
