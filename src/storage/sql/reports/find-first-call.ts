/** Finds the first call of an account, for the dashboard's first steps. */
import { hourOf } from '../../../core/calendar.ts';
import {
  type AccountId,
  type CallId,
  callIdBytes,
  callIdFromBytes,
  callIdTime,
  firstCallIdAt,
} from '../../../core/ids.ts';
import { firstWithRows, type ReportParts, rowOf, type Steps } from './steps.ts';

const HOUR_MS = 3_600_000;
const HOURS_PER_DAY = 24;

/** The first call that is not sealed, or null. */
export function* findFirstCall(parts: ReportParts, accountId: AccountId, nowMs: number): Steps<CallId | null> {
  // Sums outlive the settlements of sealed months.
  const oldest = yield* rowOf<{ id: Uint8Array }>('SELECT call_id AS id FROM settlements ORDER BY call_id LIMIT 1');
  if (oldest === null) return null;
  const begin = hourOf(callIdTime(callIdFromBytes(oldest.id)));
  // A call is admitted a moment after its id was created, and the clock may have been set back since.
  const endDay = Math.floor(hourOf(nowMs) / HOURS_PER_DAY) + 2;
  for (let from = Math.floor(begin / HOURS_PER_DAY); ; ) {
    const day = yield* firstWithCalls(parts, 'day', [from, endDay], accountId);
    if (day === null) return null;
    const found = yield* firstOfDay(parts, day, accountId);
    if (found !== null) return found;
    from = day + 1;
  }
}

function* firstOfDay(parts: ReportParts, day: number, accountId: AccountId): Steps<CallId | null> {
  const endHour = (day + 1) * HOURS_PER_DAY;
  for (let from = day * HOURS_PER_DAY; ; ) {
    const hour = yield* firstWithCalls(parts, 'hour', [from, endHour], accountId);
    if (hour === null) return null;
    const span = [hour - 1, hour + 1].map((edge) => callIdBytes(firstCallIdAt(edge * HOUR_MS)));
    const row = yield* rowOf<{ call_id: Uint8Array }>(
      `SELECT call_id FROM settlements WHERE ${parts.inTime('call_id')} AND call_id >= ? AND call_id < ? AND account_id = ?
       ORDER BY call_id LIMIT 1`,
      [...span, accountId],
    );
    if (row !== null) return callIdFromBytes(row.call_id);
    from = hour + 1;
  }
}

/** The first hour or day from `from` on, up to but not including `end`, in which the account has calls; null if there is none. */
function* firstWithCalls(
  parts: ReportParts,
  span: 'hour' | 'day',
  [from, end]: readonly [from: number, end: number],
  accountId: AccountId,
): Steps<number | null> {
  const sql = `SELECT 1 FROM rollups_${span} WHERE start = ? AND account_id = ? LIMIT 1`;
  const starts = Array.from({ length: Math.max(0, end - from) }, (_, index) => [from + index, accountId]);
  const at = yield* firstWithRows(parts, sql, starts);
  return at < 0 ? null : from + at;
}
