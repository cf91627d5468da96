/** Reads the charges of an account, newest first; searches only hours in which it was charged. */
import { hourOf } from '../../../core/calendar.ts';
import { type CallId, callIdBytes, callIdFromBytes, callIdTime, firstCallIdAt, keyId } from '../../../core/ids.ts';
import { nanoUsd } from '../../../core/money.ts';
import type { Movement, MovementsQuery } from '../../../stats/ports.ts';
import { ActiveHours, firstHourOf } from './active-hours.ts';
import { type ReportParts, rowOf, rowsOf, type Source, type Steps } from './steps.ts';
import { endBefore, LATEST_MS, TimeSlices } from './time-slices.ts';

/** Where the rows are stored: in the ledger, or where those of a sealed month are. */
export interface MovementRows {
  readonly source: Source;
  readonly isSealed: boolean;
  /** The names of the tables. */
  readonly settlements: string;
  readonly entries: string;
}

export const LEDGER_ROWS: MovementRows = {
  source: 'ledger',
  isSealed: false,
  settlements: 'settlements',
  entries: 'entries',
};

export interface MovementParts extends ReportParts {
  readonly rows: MovementRows;
  /** The time limit of a search, ms. */
  readonly searchMs: number;
}

export interface Charges {
  /** One more than a page, if there are that many. */
  readonly found: readonly Movement[];
  /** How far the search got, ms, if it did not finish. */
  readonly searchedToMs: number | null;
}

export const NO_CHARGES: Charges = { found: [], searchedToMs: null };
const HOUR_MS = 3_600_000;

interface ChargeRow {
  readonly call_id: Uint8Array;
  readonly admitted_at: bigint;
  readonly charge: bigint;
  readonly model: string;
  readonly key_id: bigint;
}

const selectCharges = (
  table: string,
) => `SELECT call_id, admitted_at, charge_nano AS charge, names.name AS model, key_id
  FROM ${table} AS settlements JOIN names ON names.id = settlements.model
  WHERE call_id >= ? AND call_id < ? AND account_id = ? AND charge_nano <> 0 AND hold_nano IS NOT NULL
  ORDER BY call_id DESC LIMIT ?`;

export function* readCharges(parts: MovementParts, query: MovementsQuery): Steps<Charges> {
  const { accountId, limit } = query;
  const span = yield* spanOf(parts, query);
  if (span === null) return NO_CHARGES;
  const before = query.before?.call ?? null;
  const found: Movement[] = [];
  const select = selectCharges(parts.rows.settlements);
  const isOver = parts.box(parts.searchMs);
  const slices = new TimeSlices(parts.now);
  const hours = new ActiveHours(parts, {
    condition: 'account_id = ? AND charge_nano <> 0',
    values: [accountId],
    first: hourOf(span.fromMs),
    last: hourOf(span.toMs - 1),
  });
  for (let hour = yield* hours.next(); hour !== null; hour = yield* hours.next()) {
    const fromMs = Math.max(span.fromMs, hour * HOUR_MS);
    for (const slice of slices.back(fromMs, Math.min(span.toMs, (hour + 1) * HOUR_MS))) {
      const end = before !== null && callIdTime(before) < slice.toMs ? before : firstCallIdAt(slice.toMs);
      const ids = [callIdBytes(firstCallIdAt(slice.fromMs)), callIdBytes(end)];
      const most = limit + 1 - found.length;
      found.push(...(yield* rowsOf<ChargeRow>(select, [...ids, accountId, most], parts.rows.source)).map(chargeOf));
      if (found.length > limit) return { found, searchedToMs: null };
      if (isOver() && slice.fromMs > span.fromMs) return { found, searchedToMs: slice.fromMs };
    }
  }
  return { found, searchedToMs: null };
}

/** The time range to search, ms; the end is not included. Null if it is empty. */
function* spanOf(
  { rows }: MovementParts,
  query: MovementsQuery,
): Steps<{ readonly fromMs: number; readonly toMs: number } | null> {
  const begin = yield* firstHourOf();
  const newest = yield* rowOf<{ id: Uint8Array }>(
    `SELECT call_id AS id FROM ${rows.settlements} ORDER BY call_id DESC LIMIT 1`,
    [],
    rows.source,
  );
  if (begin === null || newest === null) return null;
  const before = query.before?.call ?? null;
  const fromMs = Math.max(query.fromMs ?? 0, (begin - 1) * HOUR_MS);
  const endMs = callIdTime(callIdFromBytes(newest.id)) + 1;
  const toMs = Math.min(query.toMs ?? LATEST_MS, endMs, before === null ? LATEST_MS : endBefore(before));
  return fromMs < toMs ? { fromMs, toMs } : null;
}

function chargeOf(row: ChargeRow): Movement {
  return {
    at: Number(row.admitted_at),
    kind: 'charge',
    amount: nanoUsd(-row.charge),
    callId: callIdFromBytes(row.call_id) as CallId,
    model: row.model,
    keyId: keyId(Number(row.key_id)),
    entryId: null,
    reference: null,
    note: null,
  };
}
