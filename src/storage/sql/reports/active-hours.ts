/**
 * The hours in which an account has calls, from the hourly sums: records and settlements of all accounts are stored together in
 * the order of time, and hours without calls of the account need not be searched.
 */
import { rowOf, type SqlValue, type Steps } from './steps.ts';

export interface ActiveHoursQuery {
  /** A condition on rollups, in addition to their time. */
  readonly condition: string;
  readonly values: readonly SqlValue[];
  /** Hours since 1970 UTC, both included; the last one is returned first. */
  readonly first: number;
  readonly last: number;
}

const HOURS_PER_DAY = 24;

/**
 * Hours that may contain ids of matching calls, newest first. Sums are by the hour of admission; an id is created
 * when a request arrives, up to an hour earlier.
 */
export class ActiveHours {
  readonly #query: ActiveHoursQuery;
  #hour: number;
  #later: boolean | null = null;

  constructor(query: ActiveHoursQuery) {
    this.#query = query;
    this.#hour = query.last;
  }

  /** Null after the last one. */
  *next(): Steps<number | null> {
    this.#later ??= yield* this.#has('hour', this.#query.last + 1);
    while (this.#hour >= this.#query.first) {
      const hour = this.#hour;
      const isDaysLast = hour % HOURS_PER_DAY === HOURS_PER_DAY - 1;
      if (isDaysLast && !this.#later && !(yield* this.#has('day', Math.floor(hour / HOURS_PER_DAY)))) {
        this.#hour -= HOURS_PER_DAY;
        continue;
      }
      const here: boolean = yield* this.#has('hour', hour);
      const matches = here || this.#later;
      this.#later = here;
      this.#hour -= 1;
      if (matches) return hour;
    }
    return null;
  }

  *#has(span: 'hour' | 'day', start: number): Steps<boolean> {
    const { condition, values } = this.#query;
    const sql = `SELECT 1 FROM rollups_${span} WHERE start = ? AND ${condition} LIMIT 1`;
    return (yield* rowOf(sql, [start, ...values])) !== null;
  }
}

/** The first hour with sums; null if there are none. */
export function* firstHourOf(): Steps<number | null> {
  const row = yield* rowOf<{ first: bigint | null }>('SELECT min(start) AS first FROM rollups_hour');
  return row === null || row.first === null ? null : Number(row.first);
}
