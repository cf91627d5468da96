/**
 * What moved the balance of an account, newest first: charges from settlements, gone through only in hours in which the
 * account was charged, and entries between them.
 */
import type { DatabaseSync } from 'node:sqlite';
import { dayStart, hourOf } from '../../../core/calendar.ts';
import {
  type CallId,
  callIdBytes,
  callIdFromBytes,
  callIdTime,
  entryId,
  firstCallIdAt,
  keyId,
} from '../../../core/ids.ts';
import { nanoUsd } from '../../../core/money.ts';
import type { Movement, MovementsCursor, MovementsPage, MovementsQuery } from '../../../stats/ports.ts';
import { activeHours, firstHourOf } from './active-hours.ts';
import type { ReadDeadline } from './open-for-reading.ts';
import { endBefore, TimeSlices } from './time-slices.ts';

export interface MovementParts {
  readonly ledger: DatabaseSync;
  /** Where the rows are, when that is the archive of a sealed month; the ledger when absent. */
  readonly rows?: DatabaseSync | null;
  readonly deadline: ReadDeadline;
  /** How long may be looked, ms. */
  readonly searchMs: number;
}

/** Ends with what it has found when its time is over; it looks at something, however short that is. */
export function listMovements(parts: MovementParts, query: MovementsQuery): MovementsPage {
  const charges = query.kind === 'entries' ? NO_CHARGES : readCharges(parts, query);
  const entries = query.kind === 'charges' ? [] : readEntries(parts.rows ?? parts.ledger, query);
  const { searchedToMs } = charges;
  const movements = merge(charges, entries, query.limit);
  const isAll = movements.length === charges.found.length + entries.length;
  if (isAll && searchedToMs === null) return { movements, next: null, searchedToMs: null };
  if (searchedToMs === null || movements.length === query.limit)
    return { movements, next: cursorBehind(movements, query, null), searchedToMs: null };
  return { movements, next: cursorBehind(movements, query, firstCallIdAt(searchedToMs)), searchedToMs };
}

interface Charges {
  readonly found: readonly Movement[];
  readonly searchedToMs: number | null;
}

const NO_CHARGES: Charges = { found: [], searchedToMs: null };
const HOUR_MS = 3_600_000;
/** Later than any call; ids have 48 bits of time. */
const NO_END_MS = dayStart(3_000_000);

interface ChargeRow {
  readonly call_id: Uint8Array;
  readonly admitted_at: number;
  readonly charge: string;
  readonly model: string;
  readonly key_id: number;
}

const SELECT_CHARGES = `SELECT call_id, admitted_at, CAST(charge_nano AS TEXT) AS charge, names.name AS model, key_id
  FROM settlements JOIN names ON names.id = settlements.model
  WHERE call_id >= ? AND call_id < ? AND account_id = ? AND charge_nano <> 0 AND hold_nano IS NOT NULL
  ORDER BY call_id DESC`;

/** One more than a page, where there are so many. */
function readCharges(parts: MovementParts, query: MovementsQuery): Charges {
  const { ledger, deadline, searchMs } = parts;
  const rows = parts.rows ?? ledger;
  const begin = firstHourOf(ledger);
  const newest = rows.prepare('SELECT max(call_id) AS id FROM settlements').get() as { id: Uint8Array | null };
  if (begin === null || newest.id === null) return NO_CHARGES;
  const before = query.before?.call ?? null;
  const fromMs = Math.max(query.fromMs ?? 0, (begin - 1) * HOUR_MS);
  const endMs = callIdTime(callIdFromBytes(newest.id)) + 1;
  const toMs = Math.min(query.toMs ?? NO_END_MS, endMs, before === null ? NO_END_MS : endBefore(before));
  const found: Movement[] = [];
  if (fromMs >= toMs) return NO_CHARGES;
  const isOver = deadline.box(searchMs);
  const slices = new TimeSlices(() => deadline.now());
  const select = rows.prepare(SELECT_CHARGES);
  const charged = { condition: 'account_id = ? AND charge_nano <> 0', values: [query.accountId] };
  for (const hour of activeHours(ledger, { ...charged, first: hourOf(fromMs), last: hourOf(toMs - 1) })) {
    const span = { fromMs: Math.max(fromMs, hour * HOUR_MS), toMs: Math.min(toMs, (hour + 1) * HOUR_MS) };
    for (const slice of slices.back(span.fromMs, span.toMs)) {
      const end = before !== null && callIdTime(before) < slice.toMs ? before : firstCallIdAt(slice.toMs);
      const values = [callIdBytes(firstCallIdAt(slice.fromMs)), callIdBytes(end), query.accountId] as const;
      for (const row of select.iterate(...values) as Iterable<unknown>) {
        found.push(chargeOf(row as ChargeRow));
        if (found.length > query.limit) return { found, searchedToMs: null };
      }
      if (isOver() && slice.fromMs > fromMs) return { found, searchedToMs: slice.fromMs };
    }
  }
  return { found, searchedToMs: null };
}

function chargeOf(row: ChargeRow): Movement {
  return {
    at: row.admitted_at,
    kind: 'charge',
    amount: nanoUsd(-BigInt(row.charge)),
    callId: callIdFromBytes(row.call_id),
    model: row.model,
    keyId: keyId(row.key_id),
    entryId: null,
    reference: null,
    note: null,
  };
}

interface EntryOfPage {
  readonly id: number;
  readonly at: number;
  readonly kind: Exclude<Movement['kind'], 'charge'>;
  readonly amount: string;
  readonly reference: string;
  readonly call_id: Uint8Array | null;
  readonly note: string | null;
  readonly model: string | null;
  readonly key_id: number | null;
}

/** One more than a page, where there are so many. */
function readEntries(source: DatabaseSync, query: MovementsQuery): Movement[] {
  const rows = source
    .prepare(
      `SELECT entries.id, at, kind, CAST(amount_nano AS TEXT) AS amount, reference, entries.call_id, note,
         names.name AS model, settled.key_id
       FROM entries LEFT JOIN settlements AS settled ON settled.call_id = entries.call_id
         LEFT JOIN names ON names.id = settled.model
       WHERE in_time(entries.id) AND entries.account_id = ? AND entries.id < ? AND at >= ? AND at < ?
       ORDER BY entries.id DESC LIMIT ?`,
    )
    .all(
      query.accountId,
      query.before?.entry ?? Number.MAX_SAFE_INTEGER,
      query.fromMs ?? 0,
      query.toMs ?? NO_END_MS,
      query.limit + 1,
    ) as unknown as EntryOfPage[];
  return rows.map((row) => ({
    at: row.at,
    kind: row.kind,
    amount: nanoUsd(BigInt(row.amount)),
    callId: row.call_id === null ? null : callIdFromBytes(row.call_id),
    model: row.model,
    keyId: row.key_id === null ? null : keyId(row.key_id),
    entryId: entryId(row.id),
    reference: row.reference,
    note: row.note,
  }));
}

/**
 * Charges keep the order of their ids, and entries that of theirs: a cursor goes on in both. Between the two it is the
 * time that counts. Behind what was searched there may be charges that are newer than an entry, which then waits.
 */
function merge({ found, searchedToMs }: Charges, entries: readonly Movement[], limit: number): Movement[] {
  const merged: Movement[] = [];
  for (let charge = 0, entry = 0; merged.length < limit; ) {
    const nextCharge = found[charge];
    const nextEntry = entries[entry];
    if (nextEntry !== undefined && (nextCharge === undefined || nextEntry.at > timeOf(nextCharge))) {
      if (nextCharge === undefined && searchedToMs !== null && nextEntry.at < searchedToMs) break;
      merged.push(nextEntry);
      entry += 1;
    } else if (nextCharge !== undefined) {
      merged.push(nextCharge);
      charge += 1;
    } else break;
  }
  return merged;
}

function timeOf({ callId }: Movement): number {
  return callIdTime(callId as CallId);
}

/** `searched` is how far charges were looked for where that did not come to an end. */
function cursorBehind(
  movements: readonly Movement[],
  { before }: MovementsQuery,
  searched: CallId | null,
): MovementsCursor {
  const charge = movements.findLast(({ entryId: entry }) => entry === null);
  const entry = movements.findLast(({ entryId: id }) => id !== null);
  return {
    call: searched ?? charge?.callId ?? before?.call ?? null,
    entry: entry?.entryId ?? before?.entry ?? null,
  };
}
