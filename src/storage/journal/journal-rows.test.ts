/** Goal: a commit is in the journal as a whole or not at all. Method: a real file that may not grow, as on a full disk. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { ManualClock } from '../../core/clock.ts';
import { crashed, sampleSettlement, settlementRow } from '../contract/sample-rows.ts';
import { Ballast } from '../sqlite/engine/ballast.ts';
import { Gate } from '../sqlite/engine/gate.ts';
import { Health } from '../sqlite/engine/health.ts';
import { isFull } from '../sqlite/engine/sqlite-errors.ts';
import { GroupCommit } from '../sqlite/ledger/group-commit.ts';
import { openJournalDatabase } from './journal-database.ts';
import { JournalRows } from './journal-rows.ts';
import { turns } from './journal-under-test.ts';
import { JournalWriter } from './journal-writer.ts';
import { Outbox } from './outbox.ts';

test('on a full disk a commit is refused whole, and what is refused is never sent', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-test-'));
  const database = openJournalDatabase(folder, 'NORMAL');
  context.after(() => {
    database.close();
    rmSync(folder, { recursive: true });
  });
  const outbox = new Outbox(0);
  const clock = new ManualClock();
  const health = new Health(() => undefined, clock);
  const commits = new GroupCommit({
    target: new JournalWriter(new JournalRows(database), true, outbox, () => undefined),
    ...{ gate: new Gate(), clock, health, ballast: new Ballast('/nowhere'), onCommit: () => undefined },
  });
  const count = (table: string) => database.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.['count'];
  const call = sampleSettlement(1);
  await commits.commit([{ type: 'hold', settlement: crashed(call) }]);
  const { page_count: pages } = database.prepare('PRAGMA page_count').get() as { page_count: number };
  database.exec(`PRAGMA max_page_count = ${pages}`);
  const rows = Array.from({ length: 100 }, (_, ms) => settlementRow(sampleSettlement(ms)));
  await assert.rejects(commits.commit([...rows, settlementRow(call, { hadHold: true })]), isFull);
  assert.notEqual(health.state(), 'ready');
  assert.deepEqual([count('outbox'), count('holds'), outbox.waitingCalls], [0, 1, 0]);

  database.exec('PRAGMA max_page_count = 1000000');
  clock.advance(1_000);
  await turns();
  assert.equal(health.state(), 'ready', 'a probe found space');
  await commits.commit([...rows, settlementRow(call, { hadHold: true })]);
  assert.deepEqual([count('outbox'), count('holds'), outbox.waitingCalls], [1, 0, 101]);
  await commits.drain();
});
