/**
 * Writes the rows of a month to the same file as SQLite's sealing does, so that one reader reads the sealed months of either engine. What is
 * digested is what can be read back from the disk.
 */
import { closeSync, mkdirSync, openSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import { assert } from '../../../core/assert.ts';
import { systemClock } from '../../../core/clock.ts';
import { SETTLEMENT_COLUMNS } from '../../sql/ledger/settlement-columns.ts';
import { migrate } from '../../sql/migrations/migrate.ts';
import type { Schema } from '../../sql/schema.ts';
import { AccountDigests, digestRows, ENTRY_COLUMNS, WHOLE_ARCHIVE } from '../../sqlite/archive/digest-rows.ts';
import {
  ARCHIVE_TABLES,
  isSame,
  removeDatabase,
  syncFile,
  type WrittenArchive,
} from '../../sqlite/archive/write-archive.ts';
import { sqliteFlavour } from '../../sqlite/engine/flavour.ts';
import { Gate } from '../../sqlite/engine/gate.ts';
import { NodeSqliteDialect } from '../../sqlite/engine/kysely-dialect.ts';
import { ARCHIVE_FOLDER, archivePath } from '../../sqlite/files.ts';
import type { CopiedKind, CopiedValue } from '../copy/copy-text.ts';
import type { MaintenanceConnection } from '../maintenance/maintenance-connection.ts';

export interface MonthSource {
  /** A table and a condition: `settlements where …`. */
  readonly settlements: string;
  readonly entries: string;
}

const ENTRY_TYPES: Readonly<Record<string, CopiedKind>> = {
  kind: 'text',
  reference: 'text',
  call_id: 'bytes',
  note: 'text',
};
const SETTLEMENT_KINDS: readonly CopiedKind[] = SETTLEMENT_COLUMNS.map(({ kind }) =>
  kind === 'callId' ? 'bytes' : 'integer',
);
const ENTRY_KINDS: readonly CopiedKind[] = ENTRY_COLUMNS.map((name) => ENTRY_TYPES[name] ?? 'integer');

/** Within a snapshot. An existing file is replaced. The rows are on disk when this resolves. */
export async function writeArchiveFile(
  connection: MaintenanceConnection,
  folder: string,
  month: string,
  from: MonthSource,
): Promise<WrittenArchive> {
  const path = archivePath(folder, month);
  const draft = `${path}.new`;
  mkdirSync(join(folder, ARCHIVE_FOLDER), { recursive: true, mode: 0o700 });
  removeDatabase(path);
  removeDatabase(draft);
  closeSync(openSync(draft, 'a', 0o600));
  const archive = new DatabaseSync(draft);
  let written: WrittenArchive;
  try {
    archive.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = FULL');
    for (const statement of await tableStatements()) archive.exec(statement);
    written = { path, ...(await copyRows(connection, archive, from)) };
  } finally {
    archive.close();
  }
  syncFile(draft);
  renameSync(draft, path);
  syncFile(dirname(path));
  syncFile(folder);
  return written;
}

async function copyRows(
  connection: MaintenanceConnection,
  archive: DatabaseSync,
  { settlements, entries }: MonthSource,
): Promise<Omit<WrittenArchive, 'path'>> {
  const columns = SETTLEMENT_COLUMNS.map(({ column }) => column);
  const digests = new AccountDigests();
  archive.exec('BEGIN');
  const copied = async (table: string, names: readonly string[], kinds: readonly CopiedKind[], select: string) => {
    const insert = archive.prepare(
      `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
    );
    const accountAt = names.indexOf('account_id');
    let rows = 0;
    await connection.readRows<readonly CopiedValue[]>(select, kinds, (row) => {
      rows += 1;
      insert.run(...row);
      if (accountAt >= 0) digests.add(Number(row[accountAt]), row);
    });
    return rows;
  };
  const counts = {
    settlements: await copied(
      'settlements',
      columns,
      SETTLEMENT_KINDS,
      `select ${columns.join(', ')} from ${settlements} order by call_id`,
    ),
    entries: await copied(
      'entries',
      ENTRY_COLUMNS,
      ENTRY_KINDS,
      `select ${ENTRY_COLUMNS.join(', ')} from ${entries} order by id`,
    ),
  };
  await copied(
    'names',
    ['id', 'name'],
    ['integer', 'text'],
    `select id, name from names where id in (
       select operation from ${settlements} union select model from ${settlements} union select provider from ${settlements})`,
  );
  const priced = ['id', 'model', 'provider', 'upstream_model', 'prices', 'hash', 'created_at'];
  await copied(
    'price_versions',
    priced,
    ['integer', 'text', 'text', 'text', 'text', 'text', 'integer'],
    `select ${priced.join(', ')} from price_versions where id in (select price_version from ${settlements})`,
  );
  archive.exec('COMMIT');
  const written = digestRows(archive, WHOLE_ARCHIVE);
  assert(isSame(digests.all(), written), 'an archive has the rows of the ledger');
  return { ...counts, digests: written };
}

/** Of the tables of an archive, as this program's SQLite has them. */
async function tableStatements(): Promise<readonly string[]> {
  const database = new DatabaseSync(':memory:');
  try {
    const dialect = new NodeSqliteDialect({ database, gate: new Gate(), clock: systemClock });
    await migrate(new Kysely<Schema>({ dialect }), sqliteFlavour);
    const find = database.prepare("SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?");
    return ARCHIVE_TABLES.map((table) => (find.get(table) as { sql: string }).sql);
  } finally {
    database.close();
  }
}
