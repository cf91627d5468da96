/** What the file of a table is called, so that two tables of different things have different names. */
import { dayOf, dayText } from '../../../core/calendar.ts';

/** Which times a table is of: of a span whose end is not included (null: as far as there is something), or as it is now. */
export type TableTime =
  | 'now'
  | { readonly fromMs: number | null; readonly toMs: number | null; readonly timeZone?: string };

/**
 * `usage-by-model-2026-11-16-to-2026-11-23.csv`: both days are those of the time zone (UTC unless told), and are in the
 * table. Without a beginning `calls-to-2026-11-23.csv`; as it is now `keys-2026-11-23.csv`.
 * A time that runs ends with today.
 */
export function tableName(subject: string, time: TableTime, nowMs: number): string {
  if (time === 'now') return `${subject}-${dayText(dayOf(nowMs))}.csv`;
  const { fromMs, toMs, timeZone = 'UTC' } = time;
  const first = fromMs === null ? '' : `-${dateIn(timeZone, fromMs)}`;
  // What has not begun yet is in no table, and the end itself is in the next one.
  const lastMs = Math.max(Math.min((toMs ?? Number.POSITIVE_INFINITY) - 1, nowMs), fromMs ?? 0);
  return `${subject}${first}-to-${dateIn(timeZone, lastMs)}.csv`;
}

function dateIn(timeZone: string, ms: number): string {
  return Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timeZone).toPlainDate().toString();
}
