/** Counts, shares, times and durations for people. */
import { zoneFormat } from './zone.ts';

/** Writes a figure; `together` are all figures shown with it, for those that align. */
export type FormatFigure = (value: number, together: readonly number[]) => string;

/** `12,345`. */
export function formatCount(value: number): string {
  return whole.format(value);
}

/** `1.2k`, `3.4M`; below 10,000 the number itself. */
export function formatShort(value: number): string {
  return Math.abs(value) < 10_000 ? whole.format(value) : compact.format(value);
}

/** A share between 0 and 1: `0.4%`, `12%`. */
export function formatShare(share: number): string {
  if (!Number.isFinite(share)) return '–';
  const percent = share * 100;
  if (percent === 0) return '0%';
  if (percent < 0.1) return '< 0.1%';
  return percent < 10 ? `${percent.toFixed(1)}%` : `${percent.toFixed(0)}%`;
}

/** The difference of two shares, in percentage points: `1.2 points`, `< 0.1 points`. */
export function formatPoints(difference: number): string {
  const points = Math.abs(difference) * 100;
  if (points === 0) return '0 points';
  if (points < 0.1) return '< 0.1 points';
  const text = points.toFixed(points < 10 ? 1 : 0);
  return `${text} ${text === '1' || text === '1.0' ? 'point' : 'points'}`;
}

/** From milliseconds: `0.4 ms`, `230 ms`, `1.4 s`, `2 min 5 s`. */
export function formatMs(ms: number | null | undefined): string {
  if (ms === null || ms === undefined) return '–';
  if (ms < 10) return `${Number(ms.toFixed(1))} ms`;
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
}

/** `just now`, `5 min ago`, `3 h ago`, `in 2 d`; beyond 30 days the date. */
export function formatAgo(time: string | number | Date, nowMs: number = Date.now()): string {
  const at = new Date(time);
  const seconds = Math.round((nowMs - at.getTime()) / 1000);
  const size = Math.abs(seconds);
  const say = (amount: string): string => (seconds >= 0 ? `${amount} ago` : `in ${amount}`);
  if (size < 45) return seconds >= 0 ? 'just now' : 'in a moment';
  if (size < 3600) return say(`${Math.max(1, Math.round(size / 60))} min`);
  if (size < 86_400) return say(`${Math.round(size / 3600)} h`);
  if (size < 30 * 86_400) return say(`${Math.round(size / 86_400)} d`);
  return formatDate(at);
}

/** `21 Nov 2026, 14:05:09`, like the others in the chosen zone. */
export function formatTime(time: string | number | Date): string {
  return dateTime(time);
}

/** `21 Nov 2026`. */
export function formatDate(time: string | number | Date): string {
  return date(time);
}

/** `2026-11` as `November 2026`; anything else unchanged. */
export function monthName(month: string): string {
  const first = new Date(`${month}-01T00:00:00Z`);
  return Number.isNaN(first.getTime()) ? month : wholeMonth.format(first);
}

/** `14:05:09`. */
export function formatClock(time: string | number | Date): string {
  return clock(time);
}

/** A day that begins with the hour in which midnight falls, as some do, is named after the day that follows. */
export function formatStart(start: string, interval: 'minute' | 'hour' | 'day'): string {
  if (interval === 'day') return date(Date.parse(start) + HOUR_MS);
  return `${date(start)}, ${minute(start)}`;
}

const HOUR_MS = 3_600_000;
const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });
const date = zoneFormat({ day: 'numeric', month: 'short', year: 'numeric' });
const dateTime = zoneFormat({
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});
const clock = zoneFormat({ hour: '2-digit', minute: '2-digit', second: '2-digit' });
const minute = zoneFormat({ hour: '2-digit', minute: '2-digit' });
const wholeMonth = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });
