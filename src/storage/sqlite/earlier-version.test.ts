/** Goal: data folders of earlier versions still work. Method: their schemas and day files, created by hand. */
import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { Kysely } from 'kysely';
import { Migrator } from 'kysely/migration';
import { ManualClock } from '../../core/clock.ts';
import { accountId, callIdBytes } from '../../core/ids.ts';
import { NO_MONEY } from '../../core/money.ts';
import { LIST_RATE } from '../../core/rates/rate.ts';
import { sampleRecord, sampleSettlement, settlementRow } from '../contract/sample-rows.ts';
import { migrations } from '../sql/migrations/migrations.ts';
import { sqliteFlavour } from './engine/flavour.ts';
import { Gate } from './engine/gate.ts';
import { NodeSqliteDialect } from './engine/kysely-dialect.ts';
import { openSqliteUnderTest } from './sqlite-under-test.ts';

const NOW = Date.UTC(2026, 10, 21, 12);

/** As the earlier version stored it: without holds. */
const unheld = {
  usage: { ...sampleSettlement(NOW).usage, units: 0, unitLine: 0 },
  ...{ hold: null, fault: NO_MONEY, variance: NO_MONEY, nodeLoss: NO_MONEY, saved: NO_MONEY },
  ...{ rate: LIST_RATE, ownCredential: false },
} as const;

test('settlements from a version without billing are kept and summed up, and move no balance', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-test-'));
  const database = await madeUpTo('0001_foundation', join(folder, 'turnpike.db'));
  const before = [0, 1, 3_600_000].map((ms) => sampleSettlement(NOW + ms, { ...unheld, charge: NO_MONEY }));
  database.exec("INSERT INTO names (id, name) VALUES (1, 'chat'), (2, 'acme/large'), (3, 'acme')");
  const insert = database.prepare(
    `INSERT INTO settlements VALUES (?, ?, 1, 2, 3, 1, 2, 3, 412, 64, 32, 16, 8, 220, 4, 100, 2, 1, 7, ${before[0]?.cost}, 0, 1)`,
  );
  for (const row of before) insert.run(callIdBytes(row.callId), row.admittedAt);
  database.close();

  const subject = await openSqliteUnderTest({ folder });
  assert.deepEqual(await subject.settlements(), before);
  const hours = await subject.rollups('hour');
  assert.deepEqual(
    hours.map(({ calls, failed, promptTokens, cost }) => [calls, failed, promptTokens, cost]),
    [
      [2, 0, 1_064, 2n * (before[0]?.cost ?? 0n)],
      [1, 0, 532, before[0]?.cost],
    ],
  );
  assert.deepEqual(
    (await subject.rollups('day')).map(({ calls }) => calls),
    [3],
  );
  const next = sampleSettlement(NOW + 9);
  await subject.storage.ledger.commit([settlementRow(next)]);
  const { balances } = await subject.storage.ledger.load();
  assert.equal(balances.get(accountId(1))?.balance, -next.charge);
  await subject.dispose();
});

test('the maker of an open invitation created by a management key is read from the audit log', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-test-'));
  const database = await madeUpTo('0003_dashboard', join(folder, 'turnpike.db'));
  database.exec(`
    INSERT INTO accounts (id, name, billing_mode, created_at) VALUES (1, 'Acme', 'prepaid', 0);
    INSERT INTO links (id, digest, purpose, account_id, role, created_at, created_by, expires_at) VALUES
      (1, x'01', 'invitation', 1, 'viewer', 5, NULL, 99), (2, x'02', 'invitation', 1, 'viewer', 5, 7, 99),
      (3, x'03', 'invitation', 1, 'viewer', 5, NULL, 99);
    INSERT INTO audit (id, at, actor_kind, actor_id, actor_name, action, subject_kind, subject_id, account_id, hash) VALUES
      (1, 5, 'key', 4, 'k', 'invitation.create', 'invitation', '1', 1, x'00'),
      (2, 5, 'user', 7, 'u', 'invitation.create', 'invitation', '2', 1, x'00'),
      (3, 5, 'operator', NULL, 'o', 'invitation.create', 'invitation', '3', 1, x'00')`);
  database.close();
  const subject = await openSqliteUnderTest({ folder });
  const links = await subject.storage.users.invitationsOf(accountId(1), 9);
  assert.deepEqual(
    links.map(({ createdBy, createdByKey }) => [createdBy, createdByKey]),
    [
      [null, 4],
      [7, null],
      [null, null],
    ],
  );
  await subject.dispose();
});

test('a day file of an earlier version can be read and appended to', async () => {
  let subject = await openSqliteUnderTest();
  // Empty hold, fault and variance are the last three bytes, which version 1 did not have.
  for (const [version, missing] of [
    [1, 3],
    [2, 0],
    [3, 0],
    [4, 0],
  ]) {
    const before = sampleRecord(sampleSettlement(NOW, unheld), { labels: null });
    subject.storage.records.append(before);
    await subject.storage.records.drain();
    const path = join(subject.folder, 'records', '2026-11-21.db');
    const database = new DatabaseSync(path);
    database.exec(
      `UPDATE records SET detail = substr(detail, 1, length(detail) - ${missing}); PRAGMA user_version = ${version}`,
    );
    database.close();
    subject = await subject.reopen();
    const after = sampleRecord(sampleSettlement(NOW + 1));
    subject.storage.records.append(after);
    assert.deepEqual(await subject.storage.records.tail({ after: null, limit: 9 }), [before, after]);
    await subject.dispose();
    subject = await openSqliteUnderTest();
  }
  await subject.dispose();
});

/** A database with the schema of an earlier version. */
async function madeUpTo(migration: string, path: string): Promise<DatabaseSync> {
  const database = new DatabaseSync(path);
  const parts = { database, gate: new Gate(), clock: new ManualClock() };
  const migrator = new Migrator({
    db: new Kysely<unknown>({ dialect: new NodeSqliteDialect(parts) }),
    provider: { getMigrations: async () => migrations(sqliteFlavour) },
    migrationTableName: 'migrations',
    migrationLockTableName: 'migrations_lock',
  });
  const { error } = await migrator.migrateTo(migration);
  assert.equal(error, undefined);
  return database;
}
