/** Writes the file to which a sealed month's rows move. It is self-contained: names and price versions are copied too. */
import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { assert } from '../../../core/assert.ts';
import { ARCHIVE_FOLDER, archivePath, DATABASE_FILE } from '../files.ts';
import { digestRows, type MonthRows, type RowsDigest, WHOLE_ARCHIVE } from './digest-rows.ts';

export interface WrittenArchive {
  readonly path: string;
  readonly settlements: number;
  readonly entries: number;
  /** By account. */
  readonly digests: ReadonlyMap<number, RowsDigest>;
}

export const ARCHIVE_TABLES = ['settlements', 'entries', 'names', 'price_versions'] as const;

/**
 * Writes and verifies a month's archive; an existing file was never sealed and is replaced. The rows are on disk when this
 * returns. Throws if they differ from those of the ledger. `where` selects the month's rows in the ledger.
 */
export function writeArchive(
  folder: string,
  month: string,
  where: Pick<MonthRows, 'settlements' | 'entries'>,
): WrittenArchive {
  const path = archivePath(folder, month);
  const draft = `${path}.new`;
  mkdirSync(join(folder, ARCHIVE_FOLDER), { recursive: true, mode: 0o700 });
  removeDatabase(path);
  removeDatabase(draft);
  closeSync(openSync(draft, 'a', 0o600));
  const archive = new DatabaseSync(draft, { timeout: 5_000 });
  let written: WrittenArchive;
  try {
    archive.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = FULL');
    archive.prepare('ATTACH DATABASE ? AS ledger').run(join(folder, DATABASE_FILE));
    written = { path, ...copyRows(archive, where) };
  } finally {
    archive.close();
  }
  syncFile(draft);
  renameSync(draft, path);
  syncFile(dirname(path));
  syncFile(folder);
  return written;
}

function copyRows(
  archive: DatabaseSync,
  where: Pick<MonthRows, 'settlements' | 'entries'>,
): Omit<WrittenArchive, 'path'> {
  // One snapshot of the ledger for all reads.
  archive.exec('BEGIN');
  for (const table of ARCHIVE_TABLES) {
    const row = archive.prepare("SELECT sql FROM ledger.sqlite_schema WHERE type = 'table' AND name = ?").get(table);
    archive.exec((row as { sql: string }).sql);
  }
  const copied = (table: 'settlements' | 'entries') =>
    Number(
      archive.prepare(`INSERT INTO main.${table} SELECT * FROM ledger.${table} WHERE ${where[table]}`).run().changes,
    );
  const settlements = copied('settlements');
  const entries = copied('entries');
  archive.exec(
    `INSERT INTO main.names SELECT * FROM ledger.names WHERE id IN
       (SELECT operation FROM main.settlements UNION SELECT model FROM main.settlements UNION SELECT provider FROM main.settlements);
     INSERT INTO main.price_versions SELECT * FROM ledger.price_versions WHERE id IN (SELECT price_version FROM main.settlements)`,
  );
  const before = digestRows(archive, { schema: 'ledger', ...where });
  archive.exec('COMMIT');
  // Verify what can actually be read back.
  const digests = digestRows(archive, WHOLE_ARCHIVE);
  assert(isSame(before, digests), 'an archive has the rows of the ledger');
  return { settlements, entries, digests };
}

/** Whether they are of the same rows. */
export function isSame(left: ReadonlyMap<number, RowsDigest>, right: ReadonlyMap<number, RowsDigest>): boolean {
  if (left.size !== right.size) return false;
  for (const [account, { rows, hash }] of left) {
    const other = right.get(account);
    if (other === undefined || other.rows !== rows || other.hash !== hash) return false;
  }
  return true;
}

/** Removes a database with what belongs to it. */
export function removeDatabase(path: string): void {
  for (const ending of ['', '-journal', '-wal', '-shm']) rmSync(path + ending, { force: true });
}

/** Syncs a file, or a folder and thereby the names in it. */
export function syncFile(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
