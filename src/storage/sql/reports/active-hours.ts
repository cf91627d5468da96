/**
 * The hours in which an account has calls, from the hourly sums: records and settlements of all accounts are stored together in
 * the order of time, and hours without calls of the account need not be searched.
 */
import { type ReportParts, rowOf, rowsOfEach, type SqlValue, type Steps } from './steps.ts';

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
  readonly #known: { readonly hour: KnownSpans; readonly day: KnownSpans };
  #hour: number;
  #later: boolean | null = null;

  constructor({ lookAhead }: Pick<ReportParts, 'lookAhead'>, query: ActiveHoursQuery) {
    this.#query = query;
    this.#hour = query.last;
    this.#known = { hour: new KnownSpans('hour', query, lookAhead), day: new KnownSpans('day', query, lookAhead) };
  }

  /** Null after the last one. */
  *next(): Steps<number | null> {
    const { hour: hours, day: days } = this.#known;
    this.#later ??= yield* hours.has(this.#query.last + 1);
    while (this.#hour >= this.#query.first) {
      const hour = this.#hour;
      const isDaysLast = hour % HOURS_PER_DAY === HOURS_PER_DAY - 1;
      if (isDaysLast && !this.#later && !(yield* days.has(Math.floor(hour / HOURS_PER_DAY)))) {
        this.#hour -= HOURS_PER_DAY;
        continue;
      }
      const here: boolean = yield* hours.has(hour);
      const matches = here || this.#later;
      this.#later = here;
      this.#hour -= 1;
      if (matches) return hour;
    }
    return null;
  }
}

/** Whether hours or days have sums, looked up some at a time, from the last one down. */
class KnownSpans {
  readonly #sql: string;
  readonly #values: readonly SqlValue[];
  readonly #lookAhead: number;
  #last = -1;
  #found: readonly boolean[] = [];

  constructor(span: 'hour' | 'day', { condition, values }: ActiveHoursQuery, lookAhead: number) {
    this.#sql = `SELECT 1 FROM rollups_${span} WHERE start = ? AND ${condition} LIMIT 1`;
    this.#values = values;
    this.#lookAhead = lookAhead;
  }

  *has(start: number): Steps<boolean> {
    const known = this.#found[this.#last - start];
    if (known !== undefined) return known;
    const sets = Array.from({ length: this.#lookAhead }, (_, index) => [start - index, ...this.#values]);
    this.#last = start;
    this.#found = (yield* rowsOfEach(this.#sql, sets)).map((rows) => rows.length > 0);
    return this.#found[0] as boolean;
  }
}

/** The first hour with sums; null if there are none. */
export function* firstHourOf(): Steps<number | null> {
  const row = yield* rowOf<{ first: bigint | null }>('SELECT min(start) AS first FROM rollups_hour');
  return row === null || row.first === null ? null : Number(row.first);
}
