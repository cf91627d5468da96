/** Finds the first call of an account, for the dashboard's first steps. */
import { hourOf } from '../../../core/calendar.ts';
import { type AccountId, type CallId, callIdBytes, callIdFromBytes, firstCallIdAt } from '../../../core/ids.ts';
import { firstHourOf } from './active-hours.ts';
import { type ReportParts, rowOf, type Steps } from './steps.ts';

const HOUR_MS = 3_600_000;
const HOURS_PER_DAY = 24;

/** The first call that is not sealed, or null. */
export function* findFirstCall({ inTime }: ReportParts, accountId: AccountId, nowMs: number): Steps<CallId | null> {
  const begin = yield* firstHourOf();
  if (begin === null) return null;
  // A call is admitted a moment after its id was created, and the clock may have been set back since.
  const lastDay = Math.floor(hourOf(nowMs) / HOURS_PER_DAY) + 1;
  for (let day = Math.floor(begin / HOURS_PER_DAY); day <= lastDay; day += 1) {
    if (!(yield* hasCalls('day', day, accountId))) continue;
    for (let hour = day * HOURS_PER_DAY; hour < (day + 1) * HOURS_PER_DAY; hour += 1) {
      if (!(yield* hasCalls('hour', hour, accountId))) continue;
      const span = [hour - 1, hour + 1].map((edge) => callIdBytes(firstCallIdAt(edge * HOUR_MS)));
      const row = yield* rowOf<{ call_id: Uint8Array }>(
        `SELECT call_id FROM settlements WHERE ${inTime('call_id')} AND call_id >= ? AND call_id < ? AND account_id = ?
         ORDER BY call_id LIMIT 1`,
        [...span, accountId],
      );
      if (row !== null) return callIdFromBytes(row.call_id);
    }
  }
  return null;
}

function* hasCalls(span: 'hour' | 'day', start: number, accountId: AccountId): Steps<boolean> {
  const sql = `SELECT 1 FROM rollups_${span} WHERE start = ? AND account_id = ? LIMIT 1`;
  return (yield* rowOf(sql, [start, accountId])) !== null;
}
