/** Migrates a database to this program's version. Several programs may try at once: each migration is one transaction with a lock. */
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Schema } from '../../sql/schema.ts';
import { postgresMigrations } from './migrations.ts';

/** Throws an error that names the migration that failed, which was rolled back. */
export async function migratePostgres(
  database: Kysely<Schema>,
  known: Readonly<Record<string, Migration>> = postgresMigrations(),
): Promise<void> {
  const applied = await appliedMigrations(database);
  for (const name of Object.keys(known).sort()) if (!applied.has(name)) await applyOnce(database, name, known[name]);
}

/** Names of what was applied; empty for a database without a schema. */
export async function appliedMigrations(database: Kysely<Schema>): Promise<ReadonlySet<string>> {
  const { rows: found } = await sql<{ exists: boolean }>`
    select to_regclass('migrations') is not null as exists`.execute(database);
  if (found[0]?.exists !== true) return new Set();
  const { rows } = await sql<{ name: string }>`select name from migrations`.execute(database);
  return new Set(rows.map(({ name }) => name));
}

async function applyOnce(database: Kysely<Schema>, name: string, migration: Migration | undefined): Promise<void> {
  try {
    await database.transaction().execute(async (transaction) => {
      await sql`set local statement_timeout = 0`.execute(transaction);
      if (await isApplied(transaction, name)) return;
      await migration?.up(transaction);
      await sql`insert into migrations (name, timestamp) values (${name}, ${new Date().toISOString()})`.execute(
        transaction,
      );
    });
  } catch (error) {
    throw new Error(`The database migration failed: ${name} failed and was rolled back.`, { cause: error });
  }
}

/** Asked with the lock: another program may have applied it meanwhile. */
async function isApplied(transaction: Transaction<Schema>, name: string): Promise<boolean> {
  await sql`create table if not exists migrations (name text collate "C" primary key, timestamp text not null)`.execute(
    transaction,
  );
  return (await appliedMigrations(transaction)).has(name);
}
