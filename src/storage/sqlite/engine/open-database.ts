import { closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { DISK_ADVICE } from '../../folder/disk-advice.ts';
import { damageOf } from './sqlite-errors.ts';

/** `NORMAL` reaches the operating system with each commit, `FULL` the disk. */
export type Synchronous = 'NORMAL' | 'FULL';

/**
 * Opens one of our databases, creating the file (mode 0600) if it does not exist. `busy_timeout` is 0:
 * waiting inside SQLite would block the whole event loop, so locked statements are retried on a
 * timer. `wal_autocheckpoint` is 0: a checkpoint inside a commit would make one caller wait for
 * the disk; `checkpointer.ts` checkpoints on a thread.
 */
export function openDatabase(path: string, synchronous: Synchronous): DatabaseSync {
  try {
    closeSync(openSync(path, 'a', 0o600));
    const database = new DatabaseSync(path, { timeout: 0 });
    try {
      database.exec(
        `PRAGMA journal_mode = WAL; PRAGMA synchronous = ${synchronous}; PRAGMA wal_autocheckpoint = 0; PRAGMA temp_store = MEMORY`,
      );
    } catch (error) {
      database.close();
      throw error;
    }
    return database;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const advice = damageOf(error) === null ? `. ${DISK_ADVICE}` : '';
    throw new Error(`The database ${path} cannot be opened: ${reason}${advice}`, { cause: error });
  }
}

/** Refuses a SQLite that can lose what was written: https://www.sqlite.org/wal.html#walresetbug */
export function checkSqliteVersion(version: string | undefined = process.versions['sqlite']): void {
  const [major = 0, minor = 0, patch = 0] = (version ?? '').split('.').map(Number);
  const number = major * 1_000_000 + minor * 1_000 + patch;
  // SQLite 3.52.0 was withdrawn.
  if (number >= 3_051_003 && number !== 3_052_000) return;
  throw new Error(
    `This Node includes SQLite ${version ?? 'of an unknown version'}, which can corrupt a database used by two connections. ` +
      'Turnpike needs SQLite 3.51.3 or later (Node 26 has it).',
  );
}
