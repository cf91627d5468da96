/**
 * Migrates a database to this program's version, while other nodes serve. Several programs may try at once: each migration is one transaction
 * with the lock of the control plane, and is applied once. It waits at most 2 s for the lock of a table, because whoever uses the table
 * after it waits, too; then it lets them pass and tries again.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Migration } from 'kysely/migration';
import { MigrationFailed } from '../../sql/migrations/migrate.ts';
import type { Schema } from '../../sql/schema.ts';
import { isLockTimeout } from '../engine/postgres-errors.ts';
import { postgresMigrations } from './migrations.ts';
import { OLDEST_PROGRAM, raiseOldestProgram } from './rolling-upgrade.ts';

export interface MigrateOptions {
  readonly known?: Readonly<Record<string, Migration>>;
  readonly oldestProgram?: string;
  /** Waits before the next attempt to get a lock. */
  readonly pauseMs?: number;
}

const ATTEMPTS = 60;
const PAUSE_MS = 1_000;

/** Throws an error that names the migration that failed, which was rolled back, or says which nodes have to be upgraded first. */
export async function migratePostgres(
  database: Kysely<Schema>,
  { known = postgresMigrations(), oldestProgram = OLDEST_PROGRAM, pauseMs = PAUSE_MS }: MigrateOptions = {},
): Promise<void> {
  const applied = await appliedMigrations(database);
  const missing = Object.keys(known)
    .sort()
    .filter((name) => !applied.has(name));
  if (missing.length === 0) return;
  // Before anything changes, as it may refuse.
  await raise(database, oldestProgram);
  for (const name of missing) await apply(database, name, known[name], pauseMs);
  await raise(database, oldestProgram);
}

/** Names of what was applied, also by newer programs; empty for a database without a schema. */
export async function appliedMigrations(database: Kysely<Schema>): Promise<ReadonlySet<string>> {
  const { rows: found } = await sql<{ exists: boolean }>`
    select to_regclass('migrations') is not null as exists`.execute(database);
  if (found[0]?.exists !== true) return new Set();
  const { rows } = await sql<{ name: string }>`select name from migrations`.execute(database);
  return new Set(rows.map(({ name }) => name));
}

function raise(database: Kysely<Schema>, oldest: string): Promise<void> {
  return database.transaction().execute((transaction) => raiseOldestProgram(transaction, oldest));
}

async function apply(
  database: Kysely<Schema>,
  name: string,
  migration: Migration | undefined,
  pauseMs: number,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await database.transaction().execute((transaction) => applyOnce(transaction, name, migration));
    } catch (error) {
      if (attempt < ATTEMPTS && isLockTimeout(error)) await pause(pauseMs);
      else throw new MigrationFailed(name, error);
    }
  }
}

async function applyOnce(transaction: Transaction<Schema>, name: string, migration: Migration | undefined) {
  await sql`set local statement_timeout = 0`.execute(transaction);
  await sql`set local idle_in_transaction_session_timeout = 0`.execute(transaction);
  await sql`set local lock_timeout = '2s'`.execute(transaction);
  await sql`create table if not exists migrations (name text collate "C" primary key, timestamp text not null)`.execute(
    transaction,
  );
  // Another program may have applied it before this one had the lock.
  if ((await appliedMigrations(transaction)).has(name)) return;
  await migration?.up(transaction);
  await sql`insert into migrations (name, timestamp) values (${name}, ${new Date().toISOString()})`.execute(
    transaction,
  );
}
