/** Lists calls that have a record, newest first, from day files; searches only hours in which the account has matching calls. */
import { readdirSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { dayOf, dayStart, hourOf } from '../../../core/calendar.ts';
import { callIdBytes, callIdTime, firstCallIdAt } from '../../../core/ids.ts';
import type { CallSummary, CallsPage, CallsQuery } from '../../../stats/ports.ts';
import { ActiveHours } from '../../sql/reports/active-hours.ts';
import { conditionsOf } from '../../sql/reports/read-usage.ts';
import type { Steps } from '../../sql/reports/steps.ts';
import { endBefore, TimeSlices } from '../../sql/reports/time-slices.ts';
import { OpenDay } from './open-day.ts';
import type { ReadDeadline } from './open-for-reading.ts';
import { runSteps } from './run-steps.ts';

export interface CallListParts {
  readonly ledger: DatabaseSync;
  readonly recordsFolder: string;
  readonly deadline: ReadDeadline;
  /** The time limit of a search, ms. */
  readonly searchMs: number;
}

/** Returns what it has found when its time is over; it always searches something, however short the time is. */
export function listCalls(parts: CallListParts, query: CallsQuery): CallsPage {
  const { ledger, recordsFolder, deadline, searchMs } = parts;
  const days = daysOf(recordsFolder);
  const span = spanOf(query, days);
  const run = <Result>(steps: Steps<Result>) => runSteps({ ledger }, deadline, steps);
  const rollups = run(conditionsOf(query));
  const found: CallSummary[] = [];
  if (span === null || rollups === null) return { calls: found, next: null, searchedToMs: null };
  const isOver = deadline.box(searchMs);
  const slices = new TimeSlices(() => deadline.now());
  const files = new OpenDay(recordsFolder, deadline, query);
  try {
    const hours = new ActiveHours({
      condition: `${rollups.sql}${OUTCOMES[query.outcome ?? 'any']}`,
      values: rollups.values,
      first: hourOf(span.fromMs),
      last: hourOf(span.toMs - 1),
    });
    for (let hour = run(hours.next()); hour !== null; hour = run(hours.next())) {
      if (!files.open(dayOf(hour * HOUR_MS), days)) continue;
      const fromMs = Math.max(span.fromMs, hour * HOUR_MS);
      const toMs = Math.min(span.toMs, (hour + 1) * HOUR_MS);
      for (const slice of slices.back(fromMs, toMs)) {
        const before = query.before !== null && callIdTime(query.before) < slice.toMs ? query.before : null;
        files.read(callIdBytes(firstCallIdAt(slice.fromMs)), callIdBytes(before ?? firstCallIdAt(slice.toMs)), found);
        if (found.length > query.limit) {
          const calls = found.slice(0, query.limit);
          return { calls, next: calls.at(-1)?.callId ?? null, searchedToMs: null };
        }
        if (isOver() && slice.fromMs > span.fromMs)
          return { calls: found, next: firstCallIdAt(slice.fromMs), searchedToMs: slice.fromMs };
      }
    }
    return { calls: found, next: null, searchedToMs: null };
  } finally {
    files.close();
  }
}

const HOUR_MS = 3_600_000;
/** Conditions on the sums that matching calls are part of. */
const OUTCOMES = { any: '', ok: ' AND calls > failed', failed: ' AND failed > 0' } as const;
const FILE_NAME = /^\d{4}-\d{2}-\d{2}\.db$/;

/** The UTC days, since 1970, that have files. */
export function daysOf(recordsFolder: string): ReadonlySet<number> {
  const names = readdirSync(recordsFolder).filter((name) => FILE_NAME.test(name));
  return new Set(names.map((name) => dayOf(Date.parse(name.slice(0, 10)))));
}

/** The time range to search, ms; the end is not included. Null if it is empty. */
function spanOf(
  { fromMs, toMs, before }: CallsQuery,
  days: ReadonlySet<number>,
): { readonly fromMs: number; readonly toMs: number } | null {
  if (days.size === 0) return null;
  const first = dayStart(Math.min(...days));
  const end = dayStart(Math.max(...days) + 1);
  const span = {
    fromMs: Math.max(first, fromMs ?? first),
    toMs: Math.min(end, toMs ?? end, before === null ? end : endBefore(before)),
  };
  return span.fromMs < span.toMs ? span : null;
}
