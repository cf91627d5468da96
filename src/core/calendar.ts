/** Days, weeks and months as budgets and ledgers count them: UTC, weeks from Monday. A day is the number of days since 1970. */
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** 1970 began on a Thursday. */
const FIRST_MONDAY = 4;

export function dayOf(ms: number): number {
  return Math.floor(ms / DAY_MS);
}

/** When a day begins, ms since 1970 UTC. */
export function dayStart(day: number): number {
  return day * DAY_MS;
}

/** Hours since 1970. */
export function hourOf(ms: number): number {
  return Math.floor(ms / HOUR_MS);
}

/** The Monday of a day's week, as a day. */
export function weekOf(day: number): number {
  return day - ((((day - FIRST_MONDAY) % 7) + 7) % 7);
}

/** The first of a day's month, as a day. */
export function monthOf(day: number): number {
  const date = new Date(dayStart(day));
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1) / DAY_MS;
}

/** The first of the month after a day's, as a day. */
export function nextMonthOf(day: number): number {
  const date = new Date(dayStart(day));
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1) / DAY_MS;
}

/** `2026-11-21`. */
export function dayText(day: number): string {
  return new Date(dayStart(day)).toISOString().slice(0, 10);
}

/** A moment, ms since 1970 UTC, in the format of APIs: `2026-11-21T09:30:00.000Z`; null stays null. */
export function isoTime(ms: number): string;
export function isoTime(ms: number | null): string | null;
export function isoTime(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
