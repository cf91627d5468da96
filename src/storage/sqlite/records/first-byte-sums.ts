/**
 * A histogram of times to first byte in each day file: a day may have millions of rows, and percentiles of a month
 * must be available immediately. It is kept by account and model, not by key: each further dimension multiplies the rows to write.
 */
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { hourOf } from '../../../core/calendar.ts';
import type { CallRecord } from '../../../stats/ports.ts';
import { BUCKETS, bucketOf } from '../../sql/records/latency-buckets.ts';
import type { NameTable } from '../engine/name-table.ts';
import { insertInto, RowStatement } from '../engine/row-statement.ts';

const COLUMNS = ['account_id', 'bucket', 'model', 'hour', 'calls'] as const;

/**
 * `hour` is hours since 1970 UTC, of admission. Rows written at the same time are adjacent, by account, so that a page is written once
 * for many rows. Files of earlier versions have another order with the same meaning.
 */
export const CREATE_FIRST_BYTES = `CREATE TABLE IF NOT EXISTS first_bytes (account_id INTEGER NOT NULL, bucket INTEGER NOT NULL,
    model INTEGER NOT NULL, hour INTEGER NOT NULL, calls INTEGER NOT NULL,
    PRIMARY KEY (account_id, hour, model, bucket)) WITHOUT ROWID`;

const ADD = `ON CONFLICT (account_id, bucket, model, hour) DO UPDATE SET calls = calls + excluded.calls`;

interface BucketSum {
  readonly accountId: number;
  readonly bucket: number;
  readonly model: number;
  readonly hour: number;
  calls: number;
}

/** Enough hours until the year 2089. */
const HOURS = 2 ** 20;

export class FirstByteSums {
  readonly #names: NameTable;
  readonly #rows: RowStatement<BucketSum>;

  constructor(database: DatabaseSync, names: NameTable) {
    this.#names = names;
    this.#rows = new RowStatement(database, {
      sql: insertInto('first_bytes', COLUMNS, ADD),
      width: COLUMNS.length,
      writeValues,
    });
  }

  /** Call it within the transaction that writes the records. Records without timings are not counted. */
  add(records: readonly CallRecord[]): void {
    const sums: BucketSum[] = [];
    const byAccount = new Map<number, Map<number, BucketSum>>();
    for (const record of records) {
      if (record.firstByteMs === null) continue;
      const { accountId } = record;
      const bucket = bucketOf(record.firstByteMs);
      const model = this.#names.idOf(record.model);
      const hour = hourOf(record.admittedAt);
      let known = byAccount.get(accountId);
      if (known === undefined) {
        known = new Map();
        byAccount.set(accountId, known);
      }
      const key = (model * HOURS + hour) * BUCKETS.count + bucket - BUCKETS.first;
      const sum = known.get(key);
      if (sum !== undefined) {
        sum.calls += 1;
        continue;
      }
      const first = { accountId, bucket, model, hour, calls: 1 };
      known.set(key, first);
      sums.push(first);
    }
    this.#rows.run(sums);
  }
}

function writeValues(sum: BucketSum, values: SQLInputValue[], at: number): void {
  values[at] = sum.accountId;
  values[at + 1] = sum.bucket;
  values[at + 2] = sum.model;
  values[at + 3] = sum.hour;
  values[at + 4] = sum.calls;
}
