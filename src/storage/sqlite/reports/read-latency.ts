/**
 * Times to first byte: from the histograms of day files, which are by account and model; for one key, project
 * or provider from the newest records, within a short time. Days without a file, or with one of an earlier
 * version, are left out: the result contains the number of calls measured.
 */
import { join } from 'node:path';
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { dayText } from '../../../core/calendar.ts';
import { callIdBytes, firstCallIdAt } from '../../../core/ids.ts';
import type { FirstBytes, FirstBytesQuery, UsageQuery } from '../../../stats/ports.ts';
import { bucketOf, LatencyBuckets } from '../../sql/records/latency-buckets.ts';
import type { ReadDeadline } from '../../threads/read-deadline.ts';
import type { DayHistograms } from './day-histograms.ts';
import { openForReading } from './open-for-reading.ts';
import { VERSIONS_READ } from './read-call.ts';

export interface LatencyParts {
  /** The folder of day files. */
  readonly recordsFolder: string;
  /** The histograms of the same folder. */
  readonly histograms: DayHistograms;
  readonly deadline: ReadDeadline;
}

/** For a usage report. Throws `ReadTooLate`. */
export function readLatency(parts: LatencyParts, query: UsageQuery): FirstBytes {
  const hoursEach = HOURS_EACH[query.interval];
  const span = { firstHour: Math.floor(query.first * hoursEach), endHour: Math.ceil(query.end * hoursEach) };
  const asked = { ...query, ...span };
  const isInHistogram = query.projectId === null && query.keyId === null && query.provider === null;
  return isInHistogram ? readBuckets(parts, asked) : readNewest(parts, asked);
}

/** By model. Throws `ReadTooLate`. */
export function readModelLatency({ histograms }: LatencyParts, query: FirstBytesQuery): Map<string, FirstBytes> {
  const models = new Map<string, LatencyBuckets>();
  for (const span of daysOf(query)) {
    for (const [name, numbers] of histograms.read({ ...span, accountId: query.accountId })) {
      const buckets = models.get(name) ?? new LatencyBuckets();
      models.set(name, buckets);
      addAll(buckets, numbers);
    }
  }
  return new Map([...models].map(([name, buckets]) => [name, buckets.percentiles()]));
}

type LatencyQuery = FirstBytesQuery & Pick<UsageQuery, 'projectId' | 'keyId' | 'model' | 'provider'>;

const HOURS_PER_DAY = 24;
/** A report by minute uses the hours that it overlaps: histograms have no finer resolution. */
const HOURS_EACH = { minute: 1 / 60, hour: 1, day: HOURS_PER_DAY } as const;
const HOUR_MS = 3_600_000;
/** The time limit for reading records, if no histogram has the dimension. */
const NEWEST_MS = 80;
/** Rows between two checks of the time. */
const ROWS_PER_CHECK = 256;

function readBuckets({ histograms }: LatencyParts, query: LatencyQuery): FirstBytes {
  const buckets = new LatencyBuckets();
  const { accountId, model } = query;
  for (const span of daysOf(query)) {
    const histogram = histograms.read({ ...span, accountId });
    const matching = model === null ? histogram.values() : [histogram.get(model) ?? NO_CALLS];
    for (const numbers of matching) addAll(buckets, numbers);
  }
  return buckets.percentiles();
}

const NO_CALLS = new Float64Array(0);

function addAll(buckets: LatencyBuckets, numbers: Float64Array): void {
  for (let at = 0; at < numbers.length; at += 2) buckets.add(numbers[at] as number, numbers[at + 1] as number);
}

interface DaySpan {
  readonly day: number;
  readonly firstHour: number;
  readonly endHour: number;
}

/** Newest first, each with its hours within the range. */
function* daysOf({ firstHour, endHour }: Pick<FirstBytesQuery, 'firstHour' | 'endHour'>): Generator<DaySpan> {
  const firstDay = Math.floor(firstHour / HOURS_PER_DAY);
  for (let day = Math.ceil(endHour / HOURS_PER_DAY) - 1; day >= firstDay; day -= 1) {
    const begin = day * HOURS_PER_DAY;
    yield { day, firstHour: Math.max(firstHour, begin), endHour: Math.min(endHour, begin + HOURS_PER_DAY) };
  }
}

function readNewest({ recordsFolder, deadline }: LatencyParts, query: LatencyQuery): FirstBytes {
  const buckets = new LatencyBuckets();
  const isOver = deadline.box(NEWEST_MS);
  const { sql, values } = conditionsOf(query);
  for (const database of dayFiles(recordsFolder, query, deadline)) {
    if (isOver()) break;
    let rowsSeen = 0;
    database.function('go_on', (_rowid: unknown) => {
      rowsSeen += 1;
      if (rowsSeen % ROWS_PER_CHECK === 0 && isOver()) throw new TimeIsOver();
      return 1;
    });
    const rows = database
      .prepare(`SELECT first_byte_us AS us FROM records WHERE ${sql} ORDER BY rowid DESC LIMIT ${NEWEST_ROWS}`)
      .iterate(...values) as Iterable<{ us: number }>;
    try {
      for (const { us } of rows) buckets.add(bucketOf(us / 1000), 1);
    } catch (error) {
      if (!(error instanceof TimeIsOver)) throw error;
    }
  }
  return buckets.percentiles();
}

class TimeIsOver extends Error {}

/** More rows per day would not change the result noticeably. */
const NEWEST_ROWS = 20_000;

function conditionsOf(query: LatencyQuery): { readonly sql: string; readonly values: SQLInputValue[] } {
  const { accountId, projectId, keyId, model, provider, firstHour, endHour } = query;
  const values: SQLInputValue[] = [accountId];
  let sql = 'go_on(rowid) AND account_id = ? AND first_byte_us IS NOT NULL';
  for (const [column, id] of [
    ['project_id = ?', projectId],
    ['key_id = ?', keyId],
    ['model = (SELECT id FROM names WHERE name = ?)', model],
    ['provider = (SELECT id FROM names WHERE name = ?)', provider],
  ] as const) {
    if (id === null) continue;
    sql += ` AND ${column}`;
    values.push(id);
  }
  // Without an index: rows are scanned backwards from the last one appended.
  sql += ' AND +call_id >= ? AND +call_id < ?';
  values.push(callIdBytes(firstCallIdAt(firstHour * HOUR_MS)), callIdBytes(firstCallIdAt(endHour * HOUR_MS)));
  return { sql, values };
}

/** The files of the days in the range, newest first; each is closed when the next is requested. */
function* dayFiles(
  recordsFolder: string,
  query: Pick<FirstBytesQuery, 'firstHour' | 'endHour'>,
  deadline: ReadDeadline,
): Generator<DatabaseSync> {
  for (const { day } of daysOf(query)) {
    deadline.check();
    const database = openForReading(join(recordsFolder, `${dayText(day)}.db`), deadline);
    if (database === null) continue;
    try {
      const { user_version: version } = database.prepare('PRAGMA user_version').get() as { user_version: number };
      if (version > 0 && VERSIONS_READ.includes(version)) yield database;
    } finally {
      database.close();
    }
  }
}
