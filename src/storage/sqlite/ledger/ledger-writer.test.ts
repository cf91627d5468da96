/**
 * Goal: a batch that the disk refuses leaves no partial state, whichever statement fails, and one that was
 * written without an acknowledgement is not written twice. Method: a real database with a size limit, at every size between none
 * and enough; a writer that dies after its commit.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { Kysely } from 'kysely';
import type { LedgerRow } from '../../../billing/ports.ts';
import { ManualClock } from '../../../core/clock.ts';
import type { Settlement } from '../../../core/settlement.ts';
import { crashed, sampleReplay, sampleSettlement, settlementRow } from '../../contract/sample-rows.ts';
import { migrate } from '../../sql/migrations/migrate.ts';
import type { Schema } from '../../sql/schema.ts';
import { Ballast } from '../engine/ballast.ts';
import { sqliteFlavour } from '../engine/flavour.ts';
import { Gate } from '../engine/gate.ts';
import { Health } from '../engine/health.ts';
import { NodeSqliteDialect } from '../engine/kysely-dialect.ts';
import { openDatabase } from '../engine/open-database.ts';
import { isFull } from '../engine/sqlite-errors.ts';
import { type CommitTarget, GroupCommit } from './group-commit.ts';
import { LedgerWriter } from './ledger-writer.ts';

const NOW = Date.UTC(2026, 10, 21, 12);
const TABLES = ['names', 'settlements', 'holds', 'balances', 'rollups_hour', 'rollups_day', 'replays'];

test('a batch without enough space leaves every table unchanged, and is written completely when there is space', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-test-'));
  const database = await migrated(join(folder, 'a.db'));
  const writer = new LedgerWriter(database);
  const open = sampleSettlement(NOW);
  writer.write([{ type: 'hold', settlement: crashed(open) }, settlementRow(sampleSettlement(NOW + 1))]);
  const before = contents(database);
  const batch = [
    settlementRow(open, { hadHold: true, replay: sampleReplay(open, { answer: new Uint8Array(40_000) }) }),
  ];
  for (let index = 0; index < 200; index += 1) batch.push(...rowsOf(index));

  const { page_count: pages } = database.prepare('PRAGMA page_count').get() as { page_count: number };
  let refused = 0;
  for (let extra = 0; ; extra += 1) {
    database.exec(`PRAGMA max_page_count = ${pages + extra}`);
    try {
      writer.write(batch);
      break;
    } catch (error) {
      assert.ok(isFull(error), String(error));
      assert.equal(database.isTransaction, false);
      assert.deepEqual(contents(database), before, `with space for ${extra} pages`);
      refused += 1;
    }
  }
  assert.ok(refused > 20, `${refused} sizes were too small`);
  assert.deepEqual(
    TABLES.map((table) => contents(database)[table]?.length),
    [203, 202, 100, 1, 201, 201, 1],
  );
  database.close();
  rmSync(folder, { recursive: true });
});

test('rows whose writer died between its commit and its answer are written once, and none is refused', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-test-'));
  const database = await migrated(join(folder, 'a.db'));
  const writer = new LedgerWriter(database);
  let deaths = 1;
  const target: CommitTarget = {
    isSynchronous: false,
    write: async (rows) => {
      writer.write(rows);
      deaths -= 1;
      if (deaths >= 0) throw new Error('a thread of the storage ended');
    },
    probe: () => writer.probe(),
  };
  const problems: unknown[] = [];
  const clock = new ManualClock();
  const health = new Health((problem) => problems.push(problem), clock);
  const parts = { target, gate: new Gate(), clock, health, ballast: new Ballast('/nowhere') };
  const commits = new GroupCommit({ ...parts, onCommit: () => undefined });
  const [ended, kept, open] = [1, 2, 3].map((ms) => sampleSettlement(NOW + ms)) as [Settlement, Settlement, Settlement];
  await Promise.all([
    commits.commit([settlementRow(ended)]),
    commits.commit([settlementRow(kept, { replay: sampleReplay(kept) })]),
    commits.commit([{ type: 'hold', settlement: crashed(open) }]),
  ]);
  assert.deepEqual(problems, []);
  assert.deepEqual(
    ['settlements', 'holds', 'replays'].map((table) => contents(database)[table]?.length),
    [2, 1, 1],
  );
  const [balance] = contents(database)['balances'] as [{ charged_nano: bigint }];
  assert.equal(balance.charged_nano, ended.charge + kept.charge);
  await assert.rejects(commits.commit([settlementRow(crashed(ended))]), /UNIQUE/);
  database.close();
  rmSync(folder, { recursive: true });
});

/** A call with its own model, and for every second one another call that stays open. */
function rowsOf(index: number): LedgerRow[] {
  const call = sampleSettlement(NOW + index, { model: `acme/model-${index}` });
  const rows = [settlementRow(call)];
  if (index % 2 === 0) rows.push({ type: 'hold', settlement: crashed(sampleSettlement(NOW + index)) });
  return rows;
}

function contents(database: DatabaseSync): Record<string, unknown[]> {
  const rows = TABLES.map((table) => {
    const statement = database.prepare(`SELECT * FROM ${table}`);
    statement.setReadBigInts(true);
    return [table, statement.all()] as const;
  });
  return Object.fromEntries(rows);
}

async function migrated(path: string): Promise<DatabaseSync> {
  const database = openDatabase(path, 'NORMAL');
  const parts = { database, gate: new Gate(), clock: new ManualClock() };
  await migrate(new Kysely<Schema>({ dialect: new NodeSqliteDialect(parts) }), sqliteFlavour);
  return database;
}
