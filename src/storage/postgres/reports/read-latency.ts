/**
 * Times to first byte: from sums by account, model and bucket; for one key, project or provider from the newest records, within a short
 * time. The result contains the number of calls measured.
 */
import { callIdBytes, firstCallIdAt } from '../../../core/ids.ts';
import type { FirstBytes, FirstBytesQuery, UsageQuery } from '../../../stats/ports.ts';
import { bucketOf, LatencyBuckets } from '../../sql/records/latency-buckets.ts';
import { ActiveHours } from '../../sql/reports/active-hours.ts';
import { conditionsOf } from '../../sql/reports/read-usage.ts';
import { type ReportParts, rowsOf, type SqlValue, type Steps } from '../../sql/reports/steps.ts';
import { TimeSlices } from '../../sql/reports/time-slices.ts';
import { recordNameId } from './record-rows.ts';

/** For a usage report. */
export function* readLatency(parts: ReportParts, query: UsageQuery): Steps<FirstBytes> {
  const hoursEach = HOURS_EACH[query.interval];
  const span = { firstHour: Math.floor(query.first * hoursEach), endHour: Math.ceil(query.end * hoursEach) };
  const asked = { ...query, ...span };
  const isSummed = query.projectId === null && query.keyId === null && query.provider === null;
  return isSummed ? yield* readSums(asked) : yield* readNewest(parts, asked);
}

/** By model. */
export function* readModelLatency({ accountId, firstHour, endHour }: FirstBytesQuery): Steps<Map<string, FirstBytes>> {
  const rows = yield* rowsOf<BucketRow & { readonly name: string }>(
    `SELECT names.name, summed.bucket, summed.calls
     FROM (SELECT model, bucket, sum(calls) AS calls FROM first_bytes
           WHERE account_id = ? AND hour >= ? AND hour < ? GROUP BY model, bucket) AS summed
     JOIN record_names AS names ON names.id = summed.model`,
    [accountId, firstHour, endHour],
  );
  const models = new Map<string, LatencyBuckets>();
  for (const { name, bucket, calls } of rows) {
    const buckets = models.get(name) ?? new LatencyBuckets();
    models.set(name, buckets);
    buckets.add(Number(bucket), Number(calls));
  }
  return new Map([...models].map(([name, buckets]) => [name, buckets.percentiles()]));
}

interface BucketRow {
  readonly bucket: bigint;
  readonly calls: bigint;
}

type LatencyQuery = FirstBytesQuery & Pick<UsageQuery, 'projectId' | 'keyId' | 'model' | 'provider'>;

/** A report by minute uses the hours that it overlaps: sums have no finer resolution. */
const HOURS_EACH = { minute: 1 / 60, hour: 1, day: 24 } as const;
const HOUR_MS = 3_600_000;
/** The time limit for reading records, if no sum has the dimension. */
const NEWEST_MS = 80;
/** More rows would not change the result noticeably. */
const NEWEST_ROWS = 20_000;

function* readSums({ accountId, firstHour, endHour, model }: LatencyQuery): Steps<FirstBytes> {
  const buckets = new LatencyBuckets();
  const values: SqlValue[] = [accountId, firstHour, endHour];
  const id = yield* recordNameId(model);
  if (model !== null && id === null) return buckets.percentiles();
  if (id !== null) values.push(id);
  const rows = yield* rowsOf<BucketRow>(
    `SELECT bucket, sum(calls) AS calls FROM first_bytes
     WHERE account_id = ? AND hour >= ? AND hour < ?${id === null ? '' : ' AND model = ?'} GROUP BY bucket`,
    values,
  );
  for (const { bucket, calls } of rows) buckets.add(Number(bucket), Number(calls));
  return buckets.percentiles();
}

function* readNewest(parts: ReportParts, query: LatencyQuery): Steps<FirstBytes> {
  const buckets = new LatencyBuckets();
  const isOver = parts.box(NEWEST_MS);
  const rollups = yield* conditionsOf(query);
  const records = yield* recordConditions(query);
  if (rollups === null || records === null) return buckets.percentiles();
  const select = `SELECT first_byte_us AS us FROM records
    WHERE call_id >= ? AND call_id < ? AND ${records.sql} AND first_byte_us IS NOT NULL ORDER BY call_id DESC LIMIT ?`;
  const slices = new TimeSlices(parts.now);
  const hours = new ActiveHours(parts, {
    condition: rollups.sql,
    values: rollups.values,
    first: query.firstHour,
    last: query.endHour - 1,
  });
  let left = NEWEST_ROWS;
  for (let hour = yield* hours.next(); hour !== null && left > 0; hour = yield* hours.next()) {
    for (const slice of slices.back(hour * HOUR_MS, (hour + 1) * HOUR_MS)) {
      const ids = [slice.fromMs, slice.toMs].map((ms) => callIdBytes(firstCallIdAt(ms)));
      const rows = yield* rowsOf<{ us: bigint }>(select, [...ids, ...records.values, left]);
      for (const { us } of rows) buckets.add(bucketOf(Number(us) / 1000), 1);
      left -= rows.length;
      if (isOver() || left === 0) return buckets.percentiles();
    }
  }
  return buckets.percentiles();
}

/** Null if no record ever had the model or provider. */
function* recordConditions({ accountId, projectId, keyId, model, provider }: LatencyQuery) {
  const names = { model: yield* recordNameId(model), provider: yield* recordNameId(provider) };
  if ((model !== null && names.model === null) || (provider !== null && names.provider === null)) return null;
  const conditions = Object.entries({
    account_id: accountId,
    project_id: projectId,
    key_id: keyId,
    model: names.model,
    provider: names.provider,
  }).filter((each): each is [string, number & bigint] => each[1] !== null);
  return {
    sql: conditions.map(([column]) => `${column} = ?`).join(' AND '),
    values: conditions.map(([, value]) => value) as readonly SqlValue[],
  };
}
