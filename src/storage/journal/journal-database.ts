/** The file of a node's journal: what its calls cost and the bank does not know yet, and what counts if the process dies. */
import { createHash, randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { openDatabase, type Synchronous } from '../sqlite/engine/open-database.ts';
import { damageOf } from '../sqlite/engine/sqlite-errors.ts';

export const JOURNAL_FILE = 'journal.db';
/** Of the tables; a batch has a format number of its own. */
const FORMAT = 1;

export function journalPath(folder: string): string {
  return join(folder, JOURNAL_FILE);
}

/**
 * Opens the journal in a data folder, and creates it if there is none. Throws an error that says what to do if the file is
 * damaged or was written by a newer version.
 */
export function openJournalDatabase(folder: string, synchronous: Synchronous): DatabaseSync {
  const path = journalPath(folder);
  try {
    const database = openDatabase(path, synchronous);
    try {
      prepare(database, path);
    } catch (error) {
      database.close();
      throw error;
    }
    return database;
  } catch (error) {
    const damage = damageOf(error);
    if (damage === null) throw error;
    throw new Error(
      `The journal ${path} is damaged: ${damage.message}. Keep a copy of it and remove it: the node then starts with an empty one, ` +
        'and what it had not sent to the database is only in the copy.',
      { cause: error },
    );
  }
}

function prepare(database: DatabaseSync, path: string): void {
  const { user_version: format } = database.prepare('PRAGMA user_version').get() as { user_version: number };
  if (format > FORMAT)
    throw new Error(
      `The journal ${path} was written by a newer version of Turnpike (format ${format}, this version reads ${FORMAT}). ` +
        'Start that version, or let it send the journal to the database and stop it, then remove the file.',
    );
  if (format === FORMAT) return;
  database.exec(`BEGIN IMMEDIATE; ${TABLES}; PRAGMA user_version = ${FORMAT}`);
  database.prepare("INSERT INTO facts (name, value) VALUES ('id', ?)").run(randomUUID());
  database.exec('COMMIT');
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

/** Null if it is not known. */
export function readFact(database: DatabaseSync, name: string): string | number | null {
  const row = database.prepare('SELECT value FROM facts WHERE name = ?').get(name);
  return (row?.['value'] as string | number | undefined) ?? null;
}
