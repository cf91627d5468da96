/** Reads the entries of an account, newest first; a refund includes the model and key of its call. */
import { callIdFromBytes, entryId, keyId } from '../../../core/ids.ts';
import { nanoUsd } from '../../../core/money.ts';
import type { Movement, MovementsQuery } from '../../../stats/ports.ts';
import type { MovementParts } from './read-charges.ts';
import { rowsOf, type Steps } from './steps.ts';
import { LATEST_MS } from './time-slices.ts';

interface EntryOfPage {
  readonly id: bigint;
  readonly at: bigint;
  readonly kind: Exclude<Movement['kind'], 'charge'>;
  readonly amount: bigint;
  readonly reference: string;
  readonly call_id: Uint8Array | null;
  readonly note: string | null;
  readonly model: string | null;
  readonly key_id: bigint | null;
}

/** One more than a page, if there are that many. */
export function* readEntries({ inTime, rows: stored }: MovementParts, query: MovementsQuery): Steps<Movement[]> {
  const rows = yield* rowsOf<EntryOfPage>(
    `SELECT entries.id, at, kind, amount_nano AS amount, reference, entries.call_id, note,
       names.name AS model, settled.key_id
     FROM ${stored.entries} AS entries LEFT JOIN ${stored.settlements} AS settled ON settled.call_id = entries.call_id
       LEFT JOIN names ON names.id = settled.model
     WHERE ${inTime('entries.id')} AND entries.account_id = ? AND entries.id < ? AND at >= ? AND at < ?
     ORDER BY entries.id DESC LIMIT ?`,
    [
      query.accountId,
      query.before?.entry ?? Number.MAX_SAFE_INTEGER,
      query.fromMs ?? 0,
      query.toMs ?? LATEST_MS,
      query.limit + 1,
    ],
    stored.source,
  );
  return rows.map((row) => ({
    at: Number(row.at),
    kind: row.kind,
    amount: nanoUsd(row.amount),
    callId: row.call_id === null ? null : callIdFromBytes(row.call_id),
    model: row.model,
    keyId: row.key_id === null ? null : keyId(Number(row.key_id)),
    entryId: entryId(Number(row.id)),
    reference: row.reference,
    note: row.note,
  }));
}
