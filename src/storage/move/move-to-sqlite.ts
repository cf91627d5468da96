/**
 * Copies a ledger from PostgreSQL to a new SQLite database, from one snapshot and in one transaction. Every row is read back and compared.
 */
import { chmodSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import type { Clock } from '../../core/clock.ts';
import { readCopyLine } from '../postgres/copy/copy-text.ts';
import type { MaintenanceConnection } from '../postgres/maintenance/maintenance-connection.ts';
import { migrate } from '../sql/migrations/migrate.ts';
import type { Schema } from '../sql/schema.ts';
import { removeDatabase, syncFile } from '../sqlite/archive/write-archive.ts';
import { sqliteFlavour } from '../sqlite/engine/flavour.ts';
import { Gate } from '../sqlite/engine/gate.ts';
import { NodeSqliteDialect } from '../sqlite/engine/kysely-dialect.ts';
import { DATABASE_FILE } from '../sqlite/files.ts';
import { type CopiedTable, copiedTables } from './copied-tables.ts';
import { isOfLedger } from './moved-facts.ts';
import { MOVED_FROM_FACT } from './moved-mark.ts';
import { readLines } from './read-sqlite-rows.ts';
import { checkSame, RowDigest } from './row-digest.ts';
import { wayOf } from './table-way.ts';
import { type PostgresTable, postgresTables } from './target-tables.ts';

export interface MoveBackOptions {
  readonly source: MaintenanceConnection;
  /** Of the new installation, absolute, without a database. */
  readonly folder: string;
  readonly clock: Clock;
  /** Of the move. */
  readonly id: string;
  readonly onProgress: (table: string, rows: number) => void;
}

/** Throws if something is in the folder. */
export function checkNewFolder(folder: string): void {
  const found = existsSync(folder) ? readdirSync(folder) : [];
  if (found.length > 0)
    throw new Error(`${folder} is not empty: it has ${found[0]}. A ledger moves to a new folder only.`);
}

/** Resolves to the number of rows, which are on disk. If it fails, the folder has no database. */
export async function moveToSqlite(options: MoveBackOptions): Promise<number> {
  const { folder, source, clock } = options;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, DATABASE_FILE);
  const target = new DatabaseSync(path);
  try {
    chmodSync(path, 0o600);
    // Nobody else uses the file, and after a failure it is removed.
    target.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF');
    const kysely = new Kysely<Schema>({
      dialect: new NodeSqliteDialect({ database: target, gate: new Gate(), clock }),
    });
    await migrate(kysely, sqliteFlavour);
    target.exec('PRAGMA foreign_keys = OFF; BEGIN');
    const rows = await source.snapshot(() => copyAll(target, options));
    target.exec('COMMIT');
    target.close();
    syncFile(path);
    syncFile(folder);
    return rows;
  } catch (error) {
    target.close();
    removeDatabase(path);
    throw error;
  }
}

async function copyAll(target: DatabaseSync, options: MoveBackOptions): Promise<number> {
  const { source, id } = options;
  const tables = await postgresTables(source);
  let rows = 0;
  for (const table of copiedTables(target)) rows += await copyTable(table, tables, target, options);
  const facts = await source.rows<{ name: string; value: string }>('select name, value from facts order by name');
  const insert = target.prepare('INSERT OR REPLACE INTO facts (name, value) VALUES (?, ?)');
  for (const { name, value } of facts) if (isOfLedger(name)) insert.run(name, value);
  insert.run(MOVED_FROM_FACT, id);
  await numberOn(target, source);
  const broken = target.prepare('PRAGMA foreign_key_check').all();
  if (broken.length > 0) throw new Error(`${broken.length} rows refer to rows that are not there`);
  return rows;
}

async function copyTable(
  table: CopiedTable,
  tables: readonly PostgresTable[],
  target: DatabaseSync,
  { source, onProgress }: MoveBackOptions,
): Promise<number> {
  const columns = tables.find(({ name }) => name === table.name)?.columns ?? new Set<string>();
  const { inPostgres } = wayOf(table, { isPrepaid: false, columns });
  if (table.key.length === 0) target.exec(`DELETE FROM ${table.name}`);
  const names = table.columns.map(({ name }) => name);
  const kinds = table.columns.map(({ kind }) => kind);
  const insert = target.prepare(
    `INSERT INTO ${table.name} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
  );
  const sent = new RowDigest();
  await source.readLines(inPostgres, (line) => {
    sent.add(line);
    insert.run(...readCopyLine(line, kinds));
  });
  const found = new RowDigest();
  const order = table.key.length === 0 ? '' : ` ORDER BY ${table.key.join(', ')}`;
  const read = readLines(target, { select: `SELECT ${names.join(', ')} FROM ${table.name}${order}`, digest: found });
  for (const _piece of read);
  checkSame(table.name, sent, found);
  onProgress(table.name, sent.rows);
  return sent.rows;
}

/** The next id of each table is the one that PostgreSQL would have given. */
async function numberOn(target: DatabaseSync, source: MaintenanceConnection): Promise<void> {
  const remember = target.prepare('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)');
  const forget = target.prepare('DELETE FROM sqlite_sequence WHERE name = ?');
  for (const { name, isNumbered } of copiedTables(target)) {
    if (!isNumbered) continue;
    const [found] = await source.rows<{ sequence: string | null }>(
      "select pg_get_serial_sequence($1, 'id') as sequence",
      [name],
    );
    const sequence = found?.sequence ?? null;
    if (sequence === null) continue;
    const [last] = await source.rows<{ last: bigint }>(
      `select case when is_called then last_value else last_value - 1 end as last from ${sequence}`,
    );
    forget.run(name);
    if (last !== undefined && last.last > 0n) remember.run(name, last.last);
  }
}
