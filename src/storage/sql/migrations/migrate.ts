import type { Kysely } from 'kysely';
import { Migrator } from 'kysely/migration';
import type { SqlFlavour } from '../flavour.ts';
import type { Schema } from '../schema.ts';
import { migrations } from './migrations.ts';

const HISTORY_TABLE = 'migrations';
const LOCK_TABLE = 'migrations_lock';

/**
 * Migrates the schema to this program's version. Throws if the schema is newer than the program: an older
 * program would write rows without columns that the newer one needs.
 */
export async function migrate(database: Kysely<Schema>, flavour: SqlFlavour): Promise<void> {
  const known = migrations(flavour);
  const unknown = (await appliedMigrations(database)).filter((name) => !(name in known));
  if (unknown.length > 0)
    throw new Error(
      `This database was last used by a newer version of Turnpike (it has ${unknown.join(', ')}). ` +
        'Start that version or a later one; going back would lose data.',
    );
  const migrator = new Migrator({
    db: database,
    provider: { getMigrations: async () => known },
    migrationTableName: HISTORY_TABLE,
    migrationLockTableName: LOCK_TABLE,
  });
  const { error, results } = await migrator.migrateToLatest();
  if (error === undefined) return;
  const failed = results?.find((result) => result.status === 'Error')?.migrationName ?? 'a migration';
  throw new MigrationFailed(failed, error);
}

async function appliedMigrations(database: Kysely<Schema>): Promise<string[]> {
  const tables = await database.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some((table) => table.name === HISTORY_TABLE)) return [];
  const history = database as unknown as Kysely<Record<typeof HISTORY_TABLE, { name: string }>>;
  const rows = await history.selectFrom(HISTORY_TABLE).select('name').execute();
  return rows.map((row) => row.name);
}

/** Says which migration failed, that nothing of it was kept, and what the database said. */
export class MigrationFailed extends Error {
  constructor(name: string, cause: unknown) {
    const why = cause instanceof Error ? cause.message : String(cause);
    super(`The database migration failed: ${name} failed and was rolled back: ${why}`, { cause });
  }
}
