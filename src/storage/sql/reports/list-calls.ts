/** Lists calls that have a record, newest first; searches only hours in which the account has matching calls. */
import { dayOf, hourOf } from '../../../core/calendar.ts';
import { callIdBytes, callIdTime, firstCallIdAt } from '../../../core/ids.ts';
import type { CallSummary, CallsPage, CallsQuery } from '../../../stats/ports.ts';
import { ActiveHours } from './active-hours.ts';
import { conditionsOf } from './read-usage.ts';
import type { ReportParts, Steps } from './steps.ts';
import { endBefore, TimeSlices } from './time-slices.ts';

/** The records that a list searches, for one query. */
export interface ListedRecords {
  /** The time range (ms) of the calls that have records; the end is not included. Null if there are none. */
  span(): Steps<TimeSpan | null>;
  /** Whether there are records of this day. */
  has(day: number): boolean;
  /** Appends matching calls, newest first, until there is one more than the limit; null if it is done without a step. */
  read(from: Uint8Array, end: Uint8Array, found: CallSummary[]): Steps<void> | null;
  close(): void;
}

export interface TimeSpan {
  readonly fromMs: number;
  readonly toMs: number;
}

export interface CallListParts extends ReportParts {
  readonly recordsFor: (query: CallsQuery) => ListedRecords;
  /** The time limit of a search, ms. */
  readonly searchMs: number;
}

/** Returns what it has found when its time is over; it always searches something, however short the time is. */
export function* listCalls(parts: CallListParts, query: CallsQuery): Steps<CallsPage> {
  const records = parts.recordsFor(query);
  try {
    return yield* search(parts, query, records);
  } finally {
    records.close();
  }
}

function* search(parts: CallListParts, query: CallsQuery, records: ListedRecords): Steps<CallsPage> {
  const span = spanOf(query, yield* records.span());
  const rollups = yield* conditionsOf(query);
  const found: CallSummary[] = [];
  if (span === null || rollups === null) return { calls: found, next: null, searchedToMs: null };
  const isOver = parts.box(parts.searchMs);
  const slices = new TimeSlices(parts.now);
  const hours = new ActiveHours(parts, {
    condition: `${rollups.sql}${OUTCOMES[query.outcome ?? 'any']}`,
    values: rollups.values,
    first: hourOf(span.fromMs),
    last: hourOf(span.toMs - 1),
  });
  for (let hour = yield* hours.next(); hour !== null; hour = yield* hours.next()) {
    if (!records.has(dayOf(hour * HOUR_MS))) continue;
    const fromMs = Math.max(span.fromMs, hour * HOUR_MS);
    const toMs = Math.min(span.toMs, (hour + 1) * HOUR_MS);
    for (const slice of slices.back(fromMs, toMs)) {
      const before = query.before !== null && callIdTime(query.before) < slice.toMs ? query.before : null;
      const [from, end] = [firstCallIdAt(slice.fromMs), before ?? firstCallIdAt(slice.toMs)];
      const reading = records.read(callIdBytes(from), callIdBytes(end), found);
      if (reading !== null) yield* reading;
      if (found.length > query.limit) {
        const calls = found.slice(0, query.limit);
        return { calls, next: calls.at(-1)?.callId ?? null, searchedToMs: null };
      }
      if (isOver() && slice.fromMs > span.fromMs) return { calls: found, next: from, searchedToMs: slice.fromMs };
    }
  }
  return { calls: found, next: null, searchedToMs: null };
}

const HOUR_MS = 3_600_000;
/** Conditions on the sums that matching calls are part of. */
const OUTCOMES = { any: '', ok: ' AND calls > failed', failed: ' AND failed > 0' } as const;

/** The time range to search. Null if it is empty. */
function spanOf({ fromMs, toMs, before }: CallsQuery, all: TimeSpan | null): TimeSpan | null {
  if (all === null) return null;
  const span = {
    fromMs: Math.max(all.fromMs, fromMs ?? all.fromMs),
    toMs: Math.min(all.toMs, toMs ?? all.toMs, before === null ? all.toMs : endBefore(before)),
  };
  return span.fromMs < span.toMs ? span : null;
}
