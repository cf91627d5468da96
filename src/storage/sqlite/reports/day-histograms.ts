/**
 * Histograms of times to first byte by day. Most days of a report are over, so what was read from a file is cached
 * until the file changes.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { dayText } from '../../../core/calendar.ts';
import type { Clock } from '../../../core/clock.ts';
import type { AccountId } from '../../../core/ids.ts';
import type { ReadDeadline } from '../../threads/read-deadline.ts';
import { DAY_VERSION } from '../records/day-version.ts';
import { openForReading } from './open-for-reading.ts';

/** For one account and day, by model: buckets and their numbers of calls, alternating. See `latency-buckets.ts`. */
export type DayHistogram = ReadonlyMap<string, Float64Array>;

export interface DayQuestion {
  /** Since 1970 UTC. */
  readonly day: number;
  readonly accountId: AccountId;
  /** Hours since 1970 UTC, within the day. */
  readonly firstHour: number;
  /** Not included. */
  readonly endHour: number;
}

interface Kept {
  readonly stamp: string;
  readonly histogram: DayHistogram;
  readonly numbers: number;
}

/** The first version of day files with a histogram, and the last one known. */
const HISTOGRAM_VERSION = 3;
const VERSION_MAX = DAY_VERSION;
const HOURS_PER_DAY = 24;
/** File times have a coarse resolution: a file written just now may be written again with the same time. */
const SETTLED_MS = 2_000;
/** 8 bytes each. */
const NUMBERS_MAX = 1_000_000;
/** The size of an entry without numbers. */
const ENTRY_NUMBERS = 20;

export class DayHistograms {
  readonly #folder: string;
  readonly #deadline: ReadDeadline;
  readonly #clock: Pick<Clock, 'now'>;
  /** Least recently used first. */
  readonly #kept = new Map<string, Kept>();
  #numbers = 0;

  /** `folder` contains the day files. */
  constructor(folder: string, deadline: ReadDeadline, clock: Pick<Clock, 'now'>) {
    this.#folder = folder;
    this.#deadline = deadline;
    this.#clock = clock;
  }

  /** Empty for a day without a file, or with one of another version. Throws `ReadTooLate`. */
  read(question: DayQuestion): DayHistogram {
    this.#deadline.check();
    const { day, accountId, firstHour, endHour } = question;
    const path = join(this.#folder, `${dayText(day)}.db`);
    if (endHour - firstHour < HOURS_PER_DAY) return this.#load(path, question);
    const key = `${day} ${accountId}`;
    const stamp = stampOf(path, this.#clock.now());
    const kept = this.#kept.get(key);
    if (kept !== undefined) this.#forget(key, kept);
    if (kept !== undefined && kept.stamp === stamp) {
      this.#keep(key, kept);
      return kept.histogram;
    }
    const histogram = this.#load(path, question);
    if (stamp !== null) this.#keep(key, { stamp, histogram, numbers: numbersOf(histogram) });
    return histogram;
  }

  #keep(key: string, kept: Kept): void {
    this.#kept.set(key, kept);
    this.#numbers += kept.numbers;
    for (const [oldest, { numbers }] of this.#kept) {
      if (this.#numbers <= NUMBERS_MAX) return;
      this.#kept.delete(oldest);
      this.#numbers -= numbers;
    }
  }

  #forget(key: string, { numbers }: Kept): void {
    this.#kept.delete(key);
    this.#numbers -= numbers;
  }

  #load(path: string, question: DayQuestion): DayHistogram {
    const database = openForReading(path, this.#deadline);
    if (database === null) return new Map();
    try {
      const { user_version: version } = database.prepare('PRAGMA user_version').get() as { user_version: number };
      return version < HISTOGRAM_VERSION || version > VERSION_MAX ? new Map() : readHistogram(database, question);
    } finally {
      database.close();
    }
  }
}

function readHistogram(database: DatabaseSync, { accountId, firstHour, endHour }: DayQuestion): DayHistogram {
  const rows = database
    .prepare(
      `SELECT name, bucket, calls FROM names JOIN (
         SELECT model, bucket, sum(calls) AS calls FROM first_bytes
         WHERE account_id = ? AND hour >= ? AND hour < ? GROUP BY model, bucket) ON names.id = model`,
    )
    .all(accountId, firstHour, endHour) as { name: string; bucket: number; calls: number }[];
  const models = new Map<string, number[]>();
  for (const { name, bucket, calls } of rows) {
    const numbers = models.get(name);
    if (numbers === undefined) models.set(name, [bucket, calls]);
    else numbers.push(bucket, calls);
  }
  return new Map([...models].map(([name, numbers]) => [name, Float64Array.from(numbers)]));
}

/** A stamp of the state of a file and its log; null if one was written a moment ago, or if there is no file. */
function stampOf(path: string, nowMs: number): string | null {
  const file = statSync(path, { throwIfNoEntry: false });
  if (file === undefined) return null;
  const log = statSync(`${path}-wal`, { throwIfNoEntry: false });
  const written = log === undefined || log.size === 0 ? [file] : [file, log];
  if (written.some(({ mtimeMs }) => mtimeMs > nowMs - SETTLED_MS)) return null;
  return written.map(({ ino, size, mtimeMs }) => `${ino} ${size} ${mtimeMs}`).join(' ');
}

function numbersOf(histogram: DayHistogram): number {
  let numbers = ENTRY_NUMBERS;
  for (const [, each] of histogram) numbers += ENTRY_NUMBERS + each.length;
  return numbers;
}
