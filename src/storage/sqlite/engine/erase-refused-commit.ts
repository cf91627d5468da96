/**
 * A commit that SQLite refuses because its sync failed is complete in the write-ahead log, and the next start would
 * treat it as committed: https://www.sqlite.org/fileformat2.html#wal_format. The next commit overwrites it,
 * and each frame's checksum covers all frames before it, so a single new frame invalidates it.
 */
import type { DatabaseSync } from 'node:sqlite';

/**
 * Ensures that the commit refused with `refused` is not found after a restart; call it outside a transaction,
 * while nobody else writes. Returns the error to throw: `refused`, or one with the same code that says that this failed too.
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

/** Without a sync, because syncs fail: after a power failure the refused commit may still be found. */
function overwrite(database: DatabaseSync): void {
  const { synchronous } = database.prepare('PRAGMA synchronous').get() as { synchronous: number };
  database.exec('PRAGMA synchronous = OFF');
  try {
    // Random, because SQLite does not write unchanged values.
    database.exec("INSERT OR REPLACE INTO facts (name, value) VALUES ('taken_back', hex(randomblob(16)))");
  } finally {
    database.exec(`PRAGMA synchronous = ${synchronous}`);
  }
}
