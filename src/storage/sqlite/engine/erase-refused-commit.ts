/**
 * A commit that SQLite refuses because its sync failed stands whole in the write-ahead log, and the next start would
 * take it for committed: https://www.sqlite.org/fileformat2.html#wal_format. The commit that follows is written in
 * its place, and each frame is checked together with all before it, so a single one makes an end of it.
 */
import type { DatabaseSync } from 'node:sqlite';

/**
 * Makes sure that what `refused` was thrown for is not found after a restart; to be called outside of a transaction,
 * while no one else writes. Returns what to throw: `refused`, or an error of the same code which says that this failed too.
 */
export function eraseRefusedCommit(database: DatabaseSync, refused: Error & { readonly errcode: number }): Error {
  try {
    overwrite(database);
    return refused;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const message = `${refused.message}; what was refused may be found after a restart, it could not be overwritten: ${reason}`;
    return Object.assign(new Error(message, { cause: refused }), { errcode: refused.errcode });
  }
}

/** Reaches the operating system only: a sync is what failed. The end of the power may still bring back what was refused. */
function overwrite(database: DatabaseSync): void {
  const { synchronous } = database.prepare('PRAGMA synchronous').get() as { synchronous: number };
  database.exec('PRAGMA synchronous = OFF');
  try {
    // Random, for SQLite does not write what is there already.
    database.exec("INSERT OR REPLACE INTO facts (name, value) VALUES ('taken_back', hex(randomblob(16)))");
  } finally {
    database.exec(`PRAGMA synchronous = ${synchronous}`);
  }
}
