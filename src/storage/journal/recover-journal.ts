/** What the last run left in the journal. */
import type { DatabaseSync } from 'node:sqlite';
import { readFact } from './journal-database.ts';
import { Outbox, type Sendable } from './outbox.ts';

/** The batches up to the one with this id were acknowledged. */
export const SENT_THROUGH = 'sent_through';

export interface RecoveredJournal {
  readonly outbox: Outbox;
  /** How many holds were open. */
  readonly holds: number;
}

/**
 * The crash rule: a hold that the last run left open becomes a batch with the settlement that was written in it, under the epoch
 * under which it was taken. What the bank refused then is sent once more: this version or the bank may be newer.
 */
export function recoverJournal(database: DatabaseSync, monotonicMs: number): RecoveredJournal {
  const sentThrough = Number(readFact(database, SENT_THROUGH) ?? 0);
  const last = lastIdOf(database);
  database.exec('BEGIN IMMEDIATE');
  try {
    const holds = database.prepare(SETTLE_HOLDS).run(last).changes;
    database.prepare(SEND_REFUSED).run(last + Number(holds));
    database.exec('DELETE FROM holds; DELETE FROM refused; COMMIT');
    return { outbox: readOutbox(database, sentThrough, monotonicMs), holds: Number(holds) };
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

/** The last id that a batch has had, as the file says. */
export function lastIdOf(database: DatabaseSync): number {
  const sentThrough = Number(readFact(database, SENT_THROUGH) ?? 0);
  return (database.prepare(LAST_ID).get(sentThrough) as { last: number }).last;
}

function readOutbox(database: DatabaseSync, sentThrough: number, monotonicMs: number): Outbox {
  const outbox = new Outbox(sentThrough);
  for (const row of database.prepare(READ).iterate()) {
    const entry = row as unknown as Sendable;
    if (entry.id <= sentThrough) outbox.addAcknowledged(entry, monotonicMs);
    else outbox.addStored(entry);
  }
  return outbox;
}

/** Ids are never used again, so that `SENT_THROUGH` means what it meant. */
const LAST_ID = `SELECT max(?1, coalesce((SELECT max(id) FROM outbox), 0), coalesce((SELECT max(id) FROM refused), 0)) AS last`;
const SETTLE_HOLDS = `INSERT INTO outbox (id, epoch, calls, admitted_from, batch, sum)
  SELECT ?1 + row_number() OVER (ORDER BY call_id), epoch, 1, admitted_at, batch, sum FROM holds`;
const SEND_REFUSED = `INSERT INTO outbox (id, epoch, calls, admitted_from, batch, sum)
  SELECT ?1 + row_number() OVER (ORDER BY id), epoch, calls, admitted_from, batch, sum FROM refused`;
const READ = `SELECT id, epoch, calls, admitted_from AS admittedFrom, length(batch) AS bytes, NULL AS batch FROM outbox ORDER BY id`;
