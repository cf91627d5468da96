/** Opens databases for reading, on a separate thread, until a deadline. */
import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { ReadDeadline } from '../../threads/read-deadline.ts';

/** A lock is held only for a moment, while the last writer closes a file. */
const LOCK_PATIENCE_MS = 100;

/**
 * Null if the file does not exist. In its queries, `in_time(<column of the scanned table>)` as the first
 * condition ends them at the deadline: SQLite evaluates it for each row, and cannot be interrupted in another way from here.
 */
export function openForReading(path: string, deadline: ReadDeadline): DatabaseSync | null {
  let database: DatabaseSync;
  try {
    database = new DatabaseSync(path, { readOnly: true, timeout: LOCK_PATIENCE_MS });
  } catch (error) {
    if (!existsSync(path)) return null;
    throw error;
  }
  database.function('in_time', (_column: unknown) => {
    deadline.check();
    return 1;
  });
  return database;
}
