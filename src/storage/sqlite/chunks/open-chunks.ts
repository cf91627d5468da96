/** The database of what is in files of callers, apart from the ledger's: it may have gigabytes, which come and go. */
import { closeSync, openSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { openDatabase, type Synchronous } from '../engine/open-database.ts';

/** Version of the table; this program does not touch files of other versions. */
const VERSION = 1;
const CREATE = `CREATE TABLE chunks (
    file BLOB NOT NULL, number INTEGER NOT NULL, head BLOB NOT NULL, sealed BLOB NOT NULL, PRIMARY KEY (file, number)
  );
  CREATE INDEX chunks_by_head ON chunks (head);
  PRAGMA user_version = ${VERSION}`;

/** Creates the file if it does not exist. Throws if that fails, or if it is of another version. */
export function openChunks(path: string, synchronous: Synchronous): DatabaseSync {
  createFile(path);
  const database = openDatabase(path, synchronous);
  try {
    const { user_version: version } = database.prepare('PRAGMA user_version').get() as { user_version: number };
    if (version !== VERSION) throw new Error(`the files in ${path} were kept by another version of Turnpike`);
    // What was deleted is overwritten.
    database.exec('PRAGMA secure_delete = ON');
  } catch (error) {
    database.close();
    throw error;
  }
  return database;
}

/** `auto_vacuum` must be set before the first page of a file is written. */
function createFile(path: string): void {
  closeSync(openSync(path, 'a', 0o600));
  if (statSync(path).size > 0) return;
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    database.exec(`PRAGMA auto_vacuum = INCREMENTAL; BEGIN IMMEDIATE; ${CREATE}; COMMIT`);
  } finally {
    database.close();
  }
}
