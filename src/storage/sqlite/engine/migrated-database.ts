/**
 * A database with this program's schema and nothing else, for tests: dozens of migrations, one after the other, take longer than what most
 * tests do then. They have tests of their own, and whatever starts the program as a process runs them.
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import { ManualClock } from '../../../core/clock.ts';
import { migrate } from '../../sql/migrations/migrate.ts';
import type { Schema } from '../../sql/schema.ts';
import { DATABASE_FILE } from '../files.ts';
import { sqliteFlavour } from './flavour.ts';
import { Gate } from './gate.ts';
import { NodeSqliteDialect } from './kysely-dialect.ts';
import { lendBallast } from './lent-ballast.ts';

let made: Promise<Uint8Array> | null = null;

/** The bytes of its file; made once in a process. */
export function migratedDatabase(): Promise<Uint8Array> {
  made ??= make();
  return made;
}

/** Puts it into a data folder that has no database yet, with the reserve for a full disk. */
export async function addMigratedDatabase(folder: string): Promise<void> {
  const path = join(folder, DATABASE_FILE);
  if (existsSync(path)) return;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(path, await migratedDatabase(), { mode: 0o600 });
  lendBallast(folder);
}

async function make(): Promise<Uint8Array> {
  const database = new DatabaseSync(':memory:');
  try {
    const kysely = new Kysely<Schema>({
      dialect: new NodeSqliteDialect({ database, gate: new Gate(), clock: new ManualClock() }),
    });
    await migrate(kysely, sqliteFlavour);
    return database.serialize();
  } finally {
    database.close();
  }
}
