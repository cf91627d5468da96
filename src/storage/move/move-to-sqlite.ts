/**
 * Copies a ledger from PostgreSQL to a new SQLite database, from one snapshot and in one transaction. Every row is read back and compared.
 * The file has another name until all of it is there: what a failure leaves is replaced by the next attempt.
 */
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import type { Clock } from '../../core/clock.ts';
import { readCopyLine } from '../postgres/copy/copy-text.ts';
import type { MaintenanceConnection } from '../postgres/maintenance/maintenance-connection.ts';
import { migrate } from '../sql/migrations/migrate.ts';
import type { Schema } from '../sql/schema.ts';
import { syncFile } from '../sqlite/archive/write-archive.ts';
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
  /** Of the new installation, absolute; see `checkNewFolder`. */
  readonly folder: string;
  readonly clock: Clock;
  /** Of the move. */
  readonly id: string;
  readonly onProgress: (table: string, rows: number) => void;
}

const DRAFT = `${DATABASE_FILE}.moving`;
/** What an interrupted move may have left, and what a folder has that was locked. */
const IGNORED = new Set([DRAFT, `${DRAFT}-journal`, 'lock', 'lock-journal']);

/** Throws if something is in the folder. */
export function checkNewFolder(folder: string): void {
  const found = existsSync(folder) ? readdirSync(folder).filter((name) => !IGNORED.has(name)) : [];
  if (found.length > 0)
    throw new Error(`${folder} is not empty: it has ${found[0]}. A ledger moves to a new folder only.`);
}

/** Resolves to the number of rows. The database does not have its name yet: see `finish`. */
export async function moveToSqlite(options: MoveBackOptions): Promise<number> {
  const { folder, source, clock } = options;
  checkNewFolder(folder);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, DRAFT);
  removeDraft(folder);
  const target = new DatabaseSync(path);
  try {
    target.exec('PRAGMA journal_mode = DELETE; PRAGMA synchronous = OFF');
    const kysely = new Kysely<Schema>({
      dialect: new NodeSqliteDialect({ database: target, gate: new Gate(), clock }),
    });
    await migrate(kysely, sqliteFlavour);
    target.exec('PRAGMA foreign_keys = OFF; BEGIN');
    const rows = await source.snapshot(() => copyAll(target, options));
    target.exec('COMMIT');
    target.close();
    syncFile(path);
    return rows;
  } catch (error) {
    target.close();
    removeDraft(folder);
    throw error;
  }
}

/** Gives the database its name. Call it after everything else is in the folder: then it is an installation. */
export function finishMove(folder: string): void {
  const path = join(folder, DATABASE_FILE);
  renameSync(join(folder, DRAFT), path);
  syncFile(folder);
  syncFile(dirname(folder));
}

export function removeDraft(folder: string): void {
  for (const ending of ['', '-journal', '-wal', '-shm']) rmSync(join(folder, `${DRAFT}${ending}`), { force: true });
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
