/** Databases that are looked at and never written. */
import { DatabaseSync, type StatementSync } from 'node:sqlite';

export function openReadOnly(path: string): DatabaseSync {
  // A checkpoint that starts the log afresh may be in the way for an instant.
  return new DatabaseSync(path, { readOnly: true, timeout: 5_000 });
}

/** Rows come as integers of any size. */
export function bigStatement(database: DatabaseSync, sql: string): StatementSync {
  const statement = database.prepare(sql);
  statement.setReadBigInts(true);
  return statement;
}
