/** The file name of a table, so that different tables have different names. */
import { dayOf, dayText } from '../../../core/calendar.ts';

/** The times in a table: a range whose end is not included (null: open), or the current state. */
export type TableTime =
  | 'now'
  | { readonly fromMs: number | null; readonly toMs: number | null; readonly timeZone?: string };

/**
 * `usage-by-model-2026-11-16-to-2026-11-23.csv`: both days are in the time zone (UTC by default), and included. Without a start
 * `calls-to-2026-11-23.csv`; for the current state `keys-2026-11-23.csv`. A range that has not ended ends today.
 */
export function tableName(subject: string, time: TableTime, nowMs: number): string {
  if (time === 'now') return `${subject}-${dayText(dayOf(nowMs))}.csv`;
  const { fromMs, toMs, timeZone = 'UTC' } = time;
  const first = fromMs === null ? '' : `-${dateIn(timeZone, fromMs)}`;
  // Future days are not in a table, and the end itself is not included.
  const lastMs = Math.max(Math.min((toMs ?? Number.POSITIVE_INFINITY) - 1, nowMs), fromMs ?? 0);
  return `${subject}${first}-to-${dateIn(timeZone, lastMs)}.csv`;
}

function dateIn(timeZone: string, ms: number): string {
  return Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timeZone).toPlainDate().toString();
}
