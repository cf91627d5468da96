/** The names of the storage's files in a data folder; the same in all earlier versions. */
import { join } from 'node:path';

/** Accounts, keys, people and the ledger. Every installation has it: a folder without it was never served. */
export const DATABASE_FILE = 'turnpike.db';
/** One database per UTC day: the details of calls. */
export const RECORDS_FOLDER = 'records';
/** One database per UTC day: stored bodies. */
export const CAPTURES_FOLDER = 'captures';
/** What is in files of callers. */
export const CHUNKS_FILE = 'files.db';
/** One database per sealed month. */
export const ARCHIVE_FOLDER = 'archive';
/** The last backup: `{ "at": ISO time, "folder": path }`. */
export const BACKUP_NOTE = 'last-backup.json';

/** The archive of a sealed month, `2026-10`. */
export function archivePath(folder: string, month: string): string {
  return join(folder, ARCHIVE_FOLDER, `ledger-${month}.db`);
}
