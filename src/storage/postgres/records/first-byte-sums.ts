/** Adds up times to first byte by account, hour, model and bucket: percentiles of a month must be available immediately. */
import { hourOf } from '../../../core/calendar.ts';
import type { CallRecord } from '../../../stats/ports.ts';
import { bucketOf } from '../../sql/records/latency-buckets.ts';
import type { RecordNames } from '../../sql/records/record-names.ts';
import type { Queryable } from '../engine/role.ts';
import { binaryArray } from './binary-array.ts';

export interface BucketSum {
  readonly accountId: number;
  /** Of admission, since 1970. */
  readonly hour: number;
  readonly model: number;
  readonly bucket: number;
  calls: number;
}

/** Records without timings are not counted. */
export function firstByteSums(records: readonly CallRecord[], names: RecordNames): readonly BucketSum[] {
  const sums = new Map<string, BucketSum>();
  for (const { accountId, admittedAt, firstByteMs, model: name } of records) {
    if (firstByteMs === null) continue;
    const [hour, model, bucket] = [hourOf(admittedAt), names.idOf(name), bucketOf(firstByteMs)];
    const key = `${accountId} ${hour} ${model} ${bucket}`;
    const sum = sums.get(key);
    if (sum === undefined) sums.set(key, { accountId, hour, model, bucket, calls: 1 });
    else sum.calls += 1;
  }
  return [...sums.values()];
}

const ADD = `insert into first_bytes as stored (account_id, hour, model, bucket, slot, calls)
  select account_id, hour, model, bucket, $6::smallint, calls
  from unnest($1::integer[], $2::integer[], $3::integer[], $4::integer[], $5::bigint[])
    as added (account_id, hour, model, bucket, calls)
  on conflict (account_id, hour, model, bucket, slot) do update set calls = stored.calls + excluded.calls`;

/** Within the transaction that writes the records. */
export async function writeFirstBytes(connection: Queryable, sums: readonly BucketSum[], slot: number): Promise<void> {
  if (sums.length === 0) return;
  await connection.query(ADD, [
    binaryArray(
      'integer',
      sums.map((sum) => sum.accountId),
    ),
    binaryArray(
      'integer',
      sums.map((sum) => sum.hour),
    ),
    binaryArray(
      'integer',
      sums.map((sum) => sum.model),
    ),
    binaryArray(
      'integer',
      sums.map((sum) => sum.bucket),
    ),
    binaryArray(
      'bigint',
      sums.map((sum) => sum.calls),
    ),
    slot,
  ]);
}
