/** Opens databases for reading only. */
import { DatabaseSync, type StatementSync } from 'node:sqlite';

export function openReadOnly(path: string): DatabaseSync {
  // A checkpoint that restarts the log may hold a lock for an instant.
  return new DatabaseSync(path, { readOnly: true, timeout: 5_000 });
}

/** Returns integers as bigints. */
export function bigStatement(database: DatabaseSync, sql: string): StatementSync {
  const statement = database.prepare(sql);
  statement.setReadBigInts(true);
  return statement;
}
