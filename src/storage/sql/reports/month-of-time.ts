import { dayStart, nextMonthOf } from '../../../core/calendar.ts';
import type { MovementsQuery } from '../../../stats/ports.ts';

/** If a time range is exactly one UTC month, its first day in days since 1970; otherwise null. */
export function monthOfTime({ fromMs, toMs }: Pick<MovementsQuery, 'fromMs' | 'toMs'>): number | null {
  if (fromMs === null || toMs === null) return null;
  const day = fromMs / dayStart(1);
  const isWhole = Number.isInteger(day) && toMs === dayStart(nextMonthOf(day));
  return isWhole && new Date(fromMs).getUTCDate() === 1 ? day : null;
}
