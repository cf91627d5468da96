/** What a node's journal has that the bank does not have yet, as its file says; for when no server runs that knows it. */
import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { checkMark } from './check-mark.ts';
import { journalPath, readFact } from './journal-database.ts';
import { SENT_THROUGH } from './recover-journal.ts';

export interface WaitingInJournal {
  /** Settlements that are not sent. */
  readonly calls: number;
  /** When the first of them was admitted, ms; null if there is none. */
  readonly from: number | null;
  /** Calls that a crash interrupted: the next start settles them. */
  readonly interrupted: number;
  /** Settlements that the bank refused. */
  readonly refused: number;
}

const WAITING = `
  SELECT (SELECT coalesce(sum(calls), 0) FROM outbox WHERE id > :through) AS calls,
    (SELECT min(admitted_from) FROM outbox WHERE id > :through) AS "from",
    (SELECT count(*) FROM holds) AS interrupted, (SELECT coalesce(sum(calls), 0) FROM refused) AS refused`;

/** Null if the folder has no journal. Changes nothing. Throws an error that says what to do if settlements are missing. */
export function waitingInJournal(folder: string): WaitingInJournal | null {
  checkMark(folder);
  const path = journalPath(folder);
  if (!existsSync(path)) return null;
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const through = Number(readFact(database, SENT_THROUGH) ?? 0);
    return database.prepare(WAITING).get({ through }) as unknown as WaitingInJournal;
  } finally {
    database.close();
  }
}
