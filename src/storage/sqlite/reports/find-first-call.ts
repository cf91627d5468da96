/** The first call of an account: its first steps are looked for as long as it has made none. */
import type { DatabaseSync } from 'node:sqlite';
import { hourOf } from '../../../core/calendar.ts';
import { type AccountId, type CallId, callIdBytes, callIdFromBytes, firstCallIdAt } from '../../../core/ids.ts';
import { firstHourOf } from './active-hours.ts';
import type { ReadDeadline } from './open-for-reading.ts';

const HOUR_MS = 3_600_000;
const HOURS_A_DAY = 24;

/** Of those that are not sealed; null where there is none. Throws `ReadTooLate`. */
export function findFirstCall(
  ledger: DatabaseSync,
  accountId: AccountId,
  nowMs: number,
  deadline: ReadDeadline,
): CallId | null {
  const begin = firstHourOf(ledger);
  if (begin === null) return null;
  const inDay = ledger.prepare('SELECT 1 FROM rollups_day WHERE start = ? AND account_id = ? LIMIT 1');
  const inHour = ledger.prepare('SELECT 1 FROM rollups_hour WHERE start = ? AND account_id = ? LIMIT 1');
  const select = ledger.prepare(
    `SELECT call_id FROM settlements WHERE in_time(call_id) AND call_id >= ? AND call_id < ? AND account_id = ?
     ORDER BY call_id LIMIT 1`,
  );
  // A call is admitted a moment after its id was made, and the clock may have been set back since.
  const lastDay = Math.floor(hourOf(nowMs) / HOURS_A_DAY) + 1;
  for (let day = Math.floor(begin / HOURS_A_DAY); day <= lastDay; day += 1) {
    deadline.check();
    if (inDay.get(day, accountId) === undefined) continue;
    for (let hour = day * HOURS_A_DAY; hour < (day + 1) * HOURS_A_DAY; hour += 1) {
      if (inHour.get(hour, accountId) === undefined) continue;
      const span = [hour - 1, hour + 1].map((edge) => callIdBytes(firstCallIdAt(edge * HOUR_MS)));
      const row = select.get(...(span as [Buffer, Buffer]), accountId) as { call_id: Uint8Array } | undefined;
      if (row !== undefined) return callIdFromBytes(row.call_id);
    }
  }
  return null;
}
