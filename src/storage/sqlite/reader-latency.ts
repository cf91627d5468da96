/**
 * How soon answers began: from the histograms of day files, which tell accounts and models apart; of one key, project
 * or provider from the newest records themselves, for a short time. Days without a file, or with one of an earlier
 * version, are left out: what is told says how many calls it is about.
 */
import { join } from 'node:path';
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { dayText } from '../../core/calendar.ts';
import { callIdBytes, firstCallIdAt } from '../../core/ids.ts';
import type { FirstBytes, FirstBytesQuery, UsageQuery } from '../../stats/ports.ts';
import { bucketOf, LatencyBuckets } from './latency-buckets.ts';
import { openForReading, type ReadDeadline } from './reader-database.ts';

/** Of a report about consumption. Throws `ReadTooLate`. */
export function readLatency(recordsFolder: string, query: UsageQuery, deadline: ReadDeadline): FirstBytes {
  const hoursEach = query.interval === 'hour' ? 1 : HOURS_A_DAY;
  const span = { firstHour: query.first * hoursEach, endHour: query.end * hoursEach };
  const asked = { ...query, ...span };
  const isInHistogram = query.projectId === null && query.keyId === null && query.provider === null;
  return isInHistogram ? readBuckets(recordsFolder, asked, deadline) : readNewest(recordsFolder, asked, deadline);
}

/** By model. Throws `ReadTooLate`. */
export function readModelLatency(
  recordsFolder: string,
  query: FirstBytesQuery,
  deadline: ReadDeadline,
): Map<string, FirstBytes> {
  const models = new Map<string, LatencyBuckets>();
  for (const database of dayFiles(recordsFolder, query, deadline)) {
    const rows = database
      .prepare(
        `SELECT name, bucket, sum(calls) AS calls FROM first_bytes JOIN names ON names.id = model
         WHERE account_id = ? AND hour >= ? AND hour < ? GROUP BY model, bucket`,
      )
      .all(query.accountId, query.firstHour, query.endHour) as { name: string; bucket: number; calls: number }[];
    for (const { name, bucket, calls } of rows) {
      const buckets = models.get(name) ?? new LatencyBuckets();
      models.set(name, buckets);
      buckets.add(bucket, calls);
    }
  }
  return new Map([...models].map(([name, buckets]) => [name, buckets.percentiles()]));
}

type LatencyQuery = FirstBytesQuery & Pick<UsageQuery, 'projectId' | 'keyId' | 'model' | 'provider'>;

const HOURS_A_DAY = 24;
const HOUR_MS = 3_600_000;
/** The first version of day files with a histogram. */
const HISTOGRAM_VERSION = 3;
const VERSION_MAX = 3;
/** For records that no histogram tells apart. */
const NEWEST_MS = 80;
/** Between two looks at the time. */
const ROWS_A_LOOK = 256;

function readBuckets(recordsFolder: string, query: LatencyQuery, deadline: ReadDeadline): FirstBytes {
  const buckets = new LatencyBuckets();
  const { accountId, model, firstHour, endHour } = query;
  for (const database of dayFiles(recordsFolder, query, deadline)) {
    const rows = database
      .prepare(
        `SELECT bucket, sum(calls) AS calls FROM first_bytes WHERE account_id = ? AND hour >= ? AND hour < ?
         ${model === null ? '' : 'AND model = (SELECT id FROM names WHERE name = ?)'} GROUP BY bucket`,
      )
      .all(accountId, firstHour, endHour, ...(model === null ? [] : [model])) as { bucket: number; calls: number }[];
    for (const { bucket, calls } of rows) buckets.add(bucket, calls);
  }
  return buckets.percentiles();
}

function readNewest(recordsFolder: string, query: LatencyQuery, deadline: ReadDeadline): FirstBytes {
  const buckets = new LatencyBuckets();
  const isOver = deadline.box(NEWEST_MS);
  const { sql, values } = conditionsOf(query);
  for (const database of dayFiles(recordsFolder, query, deadline, 1)) {
    if (isOver()) break;
    let rowsSeen = 0;
    database.function('go_on', (_rowid: unknown) => {
      rowsSeen += 1;
      if (rowsSeen % ROWS_A_LOOK === 0 && isOver()) throw new TimeIsOver();
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

/** More than these of a day say nothing new. */
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
  // Without an index: rows are gone through from the last one that was appended.
  sql += ' AND +call_id >= ? AND +call_id < ?';
  values.push(callIdBytes(firstCallIdAt(firstHour * HOUR_MS)), callIdBytes(firstCallIdAt(endHour * HOUR_MS)));
  return { sql, values };
}

/** Those of the days asked about that are of this version or a later one, the newest first; each is closed when the next is asked for. */
function* dayFiles(
  recordsFolder: string,
  { firstHour, endHour }: Pick<FirstBytesQuery, 'firstHour' | 'endHour'>,
  deadline: ReadDeadline,
  versionMin = HISTOGRAM_VERSION,
): Generator<DatabaseSync> {
  const lastDay = Math.ceil(endHour / HOURS_A_DAY) - 1;
  for (let day = lastDay; day >= Math.floor(firstHour / HOURS_A_DAY); day -= 1) {
    deadline.check();
    const database = openForReading(join(recordsFolder, `${dayText(day)}.db`), deadline);
    if (database === null) continue;
    try {
      const { user_version: version } = database.prepare('PRAGMA user_version').get() as { user_version: number };
      if (version >= versionMin && version <= VERSION_MAX) yield database;
    } finally {
      database.close();
    }
  }
}
