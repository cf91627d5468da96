/** The file of a node's journal: what its calls cost and the bank does not know yet, and what counts if the process dies. */
import { createHash, randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { openDatabase, type Synchronous } from '../sqlite/engine/open-database.ts';
import { damageOf, isDiskTrouble } from '../sqlite/engine/sqlite-errors.ts';
import { MARK_FILE } from './journal-mark.ts';

export const JOURNAL_FILE = 'journal.db';
/** Of the tables; a batch has a format number of its own. */
const FORMAT = 1;
/** https://www.sqlite.org/fileformat2.html#page_size */
const PAGE_BYTES_MIN = 512;
const TABLE_NAMES = ['facts', 'outbox', 'refused', 'holds'];
/** Those with batches: `sum` is the CRC-32 of the batch, null if an earlier version wrote it. */
const WITH_SUMS = ['outbox', 'refused', 'holds'];

export function journalPath(folder: string): string {
  return join(folder, JOURNAL_FILE);
}

/**
 * Opens the journal in a data folder, and creates it if there is none. Throws an error that says what to do if the file is
 * damaged, is no journal, or was written by a newer version.
 */
export function openJournalDatabase(folder: string, synchronous: Synchronous): DatabaseSync {
  const path = journalPath(folder);
  return explaining(path, () => {
    const { size } = statSync(path, { throwIfNoEntry: false }) ?? { size: 0 };
    // SQLite takes it for a new file, and writes over it.
    if (size > 0 && size < PAGE_BYTES_MIN) throw damaged(path, 'it was cut');
    const database = openDatabase(path, synchronous);
    try {
      prepare(database, path);
    } catch (error) {
      database.close();
      throw error;
    }
    return database;
  });
}

/** What `work` returns. Throws an error that says what to do if the file is damaged, or its disk is the reason. */
export function explaining<Result>(path: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    const damage = damageOf(error);
    if (damage !== null) throw damaged(path, damage.message, error);
    const trouble = diskTroubleOf(error);
    if (trouble === null) throw error;
    throw new Error(
      `The journal ${path} cannot be used: ${trouble.message}. Check that its disk has space and works, and that this user may write ` +
        'the file; then start again. What is in it stays there.',
      { cause: error },
    );
  }
}

/** What the disk said, or null. Opening names the file, and has that as its cause. */
function diskTroubleOf(error: unknown): Error | null {
  for (let each = error; each instanceof Error; each = each.cause)
    if (isDiskTrouble(each) || (each as NodeJS.ErrnoException).syscall !== undefined) return each;
  return null;
}

/** Reads the structure of the whole file. Throws an error that says what to do if it is damaged; then rows could be missing unnoticed. */
export function checkStructure(database: DatabaseSync, path: string): void {
  const { quick_check: found } = database.prepare('PRAGMA quick_check(1)').get() as { quick_check: string };
  // The first line only says which database it is about.
  if (found !== 'ok') throw damaged(path, found.split('\n').at(-1) ?? found);
}

function damaged(path: string, reason: string, cause?: unknown): Error {
  return new Error(
    `The journal ${path} is damaged: ${reason}. Keep a copy of it and remove it, with ${JOURNAL_FILE}-wal, ${JOURNAL_FILE}-shm and ${MARK_FILE}: ` +
      'the node then starts with an empty one, and what it had not sent to the database is only in the copy.',
    { cause },
  );
}

function prepare(database: DatabaseSync, path: string): void {
  const { user_version: format } = database.prepare('PRAGMA user_version').get() as { user_version: number };
  const tables = new Set(database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all().map(nameOf));
  if (format <= FORMAT && (format === FORMAT ? TABLE_NAMES.some((name) => !tables.has(name)) : tables.size > 0))
    throw new Error(
      `The file ${path} is a database of another program, not a journal. Move it away, or use another data folder (--data).`,
    );
  if (format > FORMAT)
    throw new Error(
      `The journal ${path} was written by a newer version of Turnpike (format ${format}, this version reads ${FORMAT}). ` +
        'Start that version, or let it send the journal to the database and stop it, then remove the file.',
    );
  if (format < FORMAT) {
    database.exec(`BEGIN IMMEDIATE; ${TABLES}; PRAGMA user_version = ${FORMAT}`);
    database.prepare("INSERT INTO facts (name, value) VALUES ('id', ?)").run(randomUUID());
    database.exec('COMMIT');
  }
  if (readFact(database, 'id') === null) throw damaged(path, 'it has no id');
  for (const table of WITH_SUMS) addSums(database, table);
}

/** Of a column called `name`. */
function nameOf(row: Readonly<Record<string, unknown>>): string {
  return String(row['name']);
}

/** An earlier version neither writes nor reads it. */
function addSums(database: DatabaseSync, table: string): void {
  const columns = database.prepare('SELECT name FROM pragma_table_info(?)').all(table).map(nameOf);
  if (!columns.includes('sum')) database.exec(`ALTER TABLE ${table} ADD COLUMN sum INTEGER`);
}

/**
 * `outbox` has the batches that the bank has not acknowledged, and those that it acknowledged a moment ago; `epoch` is that of
 * their leases, 0 without any. `refused` has those that the bank refuses for what is in them. A hold is the batch of one settlement that counts if the process dies. Times are those of
 * admission, in ms.
 */
const TABLES = `
  CREATE TABLE facts (name TEXT PRIMARY KEY, value) WITHOUT ROWID;
  CREATE TABLE outbox (id INTEGER PRIMARY KEY, epoch INTEGER NOT NULL, calls INTEGER NOT NULL,
    admitted_from INTEGER NOT NULL, batch BLOB NOT NULL);
  CREATE TABLE refused (id INTEGER PRIMARY KEY, epoch INTEGER NOT NULL, calls INTEGER NOT NULL,
    admitted_from INTEGER NOT NULL, batch BLOB NOT NULL);
  CREATE TABLE holds (call_id BLOB PRIMARY KEY, epoch INTEGER NOT NULL, admitted_at INTEGER NOT NULL, batch BLOB NOT NULL)`;

/** The id of the journal, a UUID, and what differs between the file and a copy of it: its host, its device and its place there. */
export function identityOf(
  database: DatabaseSync,
  folder: string,
): { readonly id: string; readonly fingerprint: string } {
  const { dev, ino } = statSync(journalPath(folder));
  return {
    id: String(readFact(database, 'id')),
    fingerprint: createHash('sha256').update(`${hostname()} ${dev} ${ino}`).digest('hex').slice(0, 32),
  };
}

const INSTALLATION = 'installation';

/**
 * Settlements name accounts by their numbers, which mean others in another installation. Throws an error that says what to do if the journal is of
 * another one than `installation`; the first one that opens it has it.
 */
export function checkInstallation(database: DatabaseSync, path: string, installation: string): void {
  const known = readFact(database, INSTALLATION);
  if (known === installation) return;
  if (known === null) {
    database.prepare('INSERT INTO facts (name, value) VALUES (?, ?)').run(INSTALLATION, installation);
    return;
  }
  throw new Error(
    `The journal ${path} belongs to another installation than this database. ` +
      "Set database.url (DATABASE_URL) to that one's database, so that what the journal has is settled there; " +
      'or use another data folder (--data) for this one.',
  );
}

/** Null if it is not known. */
export function readFact(database: DatabaseSync, name: string): string | number | null {
  const row = database.prepare('SELECT value FROM facts WHERE name = ?').get(name);
  return (row?.['value'] as string | number | undefined) ?? null;
}
