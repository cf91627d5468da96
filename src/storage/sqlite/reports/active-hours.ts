/**
 * In which hours an account has calls, from the sums of hours: records and settlements stand in the order of time, those
 * of all accounts together, and where an account has none nothing has to be gone through.
 */
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';

export interface ActiveHoursQuery {
  /** Of the rollups, beside their time. */
  readonly condition: string;
  readonly values: readonly SQLInputValue[];
  /** Hours since 1970 UTC, both included; the last comes first. */
  readonly first: number;
  readonly last: number;
}

const HOURS_A_DAY = 24;

/**
 * The hours that may hold ids of calls that are meant, the newest first. Sums are by the hour of admission; an id is made
 * when a request arrives, which is up to an hour sooner.
 */
export function* activeHours(ledger: DatabaseSync, query: ActiveHoursQuery): Generator<number> {
  const { condition, values, first, last } = query;
  const inHour = ledger.prepare(`SELECT 1 FROM rollups_hour WHERE start = ? AND ${condition} LIMIT 1`);
  const inDay = ledger.prepare(`SELECT 1 FROM rollups_day WHERE start = ? AND ${condition} LIMIT 1`);
  let later = inHour.get(last + 1, ...values) !== undefined;
  for (let hour = last; hour >= first; hour -= 1) {
    const isDaysLast = hour % HOURS_A_DAY === HOURS_A_DAY - 1;
    if (isDaysLast && !later && inDay.get(Math.floor(hour / HOURS_A_DAY), ...values) === undefined) {
      hour -= HOURS_A_DAY - 1;
      continue;
    }
    const here = inHour.get(hour, ...values) !== undefined;
    if (here || later) yield hour;
    later = here;
  }
}

/** The first hour there are sums of; null where there are none. */
export function firstHourOf(ledger: DatabaseSync): number | null {
  const row = ledger.prepare('SELECT min(start) AS first FROM rollups_hour').get() as { first: number | null };
  return row.first;
}
