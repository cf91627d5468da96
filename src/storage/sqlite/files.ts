/** The names of what the storage keeps in a data folder. A folder of any earlier version has the same. */
import { join } from 'node:path';

/** Accounts, keys, people and the ledger. Every installation has it: without it a folder was never served from. */
export const DATABASE_FILE = 'turnpike.db';
/** A database a UTC day: the detail of calls. */
export const RECORDS_FOLDER = 'records';
/** A database a UTC day: kept bodies. */
export const CAPTURES_FOLDER = 'captures';
/** A database a sealed month. */
export const ARCHIVE_FOLDER = 'archive';
/** When the last backup was made: `{ "at": ISO time, "folder": path }`. */
export const BACKUP_NOTE = 'last-backup.json';

/** The archive of a sealed month, `2026-10`. */
export function archivePath(folder: string, month: string): string {
  return join(folder, ARCHIVE_FOLDER, `ledger-${month}.db`);
}
