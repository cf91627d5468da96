/** The start and end of a named range, at a given moment. */
import { startOfDay, startOfMonth } from '../format/zone.ts';

/** In the order in which they are offered. */
export const RANGE_NAMES = ['1h', '24h', '7d', '30d', 'today', 'month', 'last_month', '90d'] as const;
export type RangeName = (typeof RANGE_NAMES)[number];

export interface RangeTime {
  /** ISO 8601; `to` is not included. They end with the current minute, hour or day, so that they stay the same for a while. */
  readonly from: string;
  readonly to: string;
  /** The interval. */
  readonly interval: 'minute' | 'hour' | 'day';
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** So few days of the current month are shown by the hour. */
const FEW_DAYS_MS = 2 * 24 * HOUR_MS;

export function isRangeName(text: string): text is RangeName {
  return (RANGE_NAMES as readonly string[]).includes(text);
}

export function rangeTime(name: RangeName, nowMs: number): RangeTime {
  const minuteEnd = (Math.floor(nowMs / MINUTE_MS) + 1) * MINUTE_MS;
  const hourEnd = (Math.floor(nowMs / HOUR_MS) + 1) * HOUR_MS;
  const dayEnd = startOfDay(nowMs, 1);
  switch (name) {
    case '1h':
      return time(minuteEnd - HOUR_MS, minuteEnd, 'minute');
    case '24h':
      return time(hourEnd - 24 * HOUR_MS, hourEnd, 'hour');
    case '7d':
      return time(hourEnd - 168 * HOUR_MS, hourEnd, 'hour');
    case '30d':
      return time(startOfDay(nowMs, -29), dayEnd, 'day');
    case '90d':
      return time(startOfDay(nowMs, -89), dayEnd, 'day');
    case 'today':
      return time(startOfDay(nowMs), hourEnd, 'hour');
    case 'month': {
      const from = startOfMonth(nowMs);
      return dayEnd - from <= FEW_DAYS_MS ? time(from, hourEnd, 'hour') : time(from, dayEnd, 'day');
    }
    case 'last_month':
      return time(startOfMonth(nowMs, -1), startOfMonth(nowMs), 'day');
  }
}

function time(fromMs: number, toMs: number, interval: RangeTime['interval']): RangeTime {
  return { from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString(), interval };
}
