/** Many calls at once, by SQL from some thousand samples: records, their histograms, and the sums of both. */
import { mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { dayOf, dayText } from '../../src/core/calendar.ts';
import { completionTokens, promptTokens } from '../../src/core/usage.ts';
import type { CallRecord } from '../../src/stats/record.ts';
import { bucketOf } from '../../src/storage/sql/records/latency-buckets.ts';
import { DayFile } from '../../src/storage/sqlite/records/day-file.ts';
import { sampleCalls } from './sample-calls.ts';

export interface BulkSize {
  readonly days: number;
  readonly calls: number;
  readonly nowMs: number;
  readonly accounts: number;
  readonly keysEach: number;
  readonly models: number;
  readonly rollupsOnly: boolean;
}

const SAMPLES = 20_011;
/** Prime to the number of samples: one after the other is not one account after the other. */
const STEP = 7_919;
const DAY_MS = 86_400_000;

/** Ends with today; returns how many calls it made. */
export function makeBulk(folder: string, size: BulkSize): number {
  const ledger = new DatabaseSync(join(folder, 'turnpike.db'));
  ledger.exec(FAST);
  const samples = sampleCalls(SAMPLES, size);
  const today = dayOf(size.nowMs);
  const calls = Math.floor(size.calls / size.days);
  const samplePath = join(folder, 'records', 'samples.tmp');
  if (!size.rollupsOnly) makeSamples(samplePath, samples);
  for (let day = today - size.days + 1; day <= today; day += 1) {
    const sums = new DaySums(samples);
    for (let hour = 0; hour < 24; hour += 1) {
      const [from, end] = [hour, hour + 1].map((edge) => Math.ceil((edge * calls) / 24)) as [number, number];
      sums.add(day * 24 + hour, from, end);
    }
    if (!size.rollupsOnly) makeDay(join(folder, 'records', `${dayText(day)}.db`), samplePath, { day, calls, sums });
    addSums(ledger, sums.rollups.values());
    addDays(ledger, day);
  }
  for (const ending of ['', '-wal', '-shm']) rmSync(samplePath + ending, { force: true });
  ledger.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  ledger.close();
  return calls * size.days;
}

const FAST = 'PRAGMA synchronous = OFF; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -200000';

/** In the order of the columns of a rollup, but with names. */
type Rollup = [
  hour: number,
  account: number,
  project: number,
  key: number,
  model: string,
  provider: string,
  ...sums: number[],
];
/** Of a histogram, but with a name. */
type Bucket = [account: number, bucket: number, model: string, hour: number, calls: number];

/** Call number n of a day is like sample number (n * STEP) mod SAMPLES. */
class DaySums {
  readonly rollups = new Map<string, Rollup>();
  readonly buckets = new Map<string, Bucket>();
  readonly #samples: readonly CallRecord[];

  constructor(samples: readonly CallRecord[]) {
    this.#samples = samples;
  }

  /** Calls number `from` to `end`, which is not included, of a day. */
  add(hour: number, from: number, end: number): void {
    const times = new Uint32Array(SAMPLES);
    for (let number = from; number < end; number += 1) {
      const sample = (number * STEP) % SAMPLES;
      times[sample] = (times[sample] as number) + 1;
    }
    for (const [index, sample] of this.#samples.entries()) {
      const calls = times[index] as number;
      if (calls > 0) this.#addSample(hour, sample, calls);
    }
  }

  #addSample(hour: number, sample: CallRecord, calls: number): void {
    const { accountId, projectId, keyId, model, provider, ending, usage, cost, charge, firstByteMs } = sample;
    const place = `${hour} ${keyId} ${model}`;
    const none = [hour, accountId, projectId, keyId, model, provider, 0, 0, 0, 0, 0, 0, 0, 0] as Rollup;
    const rollup = this.rollups.get(place) ?? none;
    this.rollups.set(place, rollup);
    const failed = ending === 'complete' || ending === 'empty' ? 0 : 1;
    const tokens = [promptTokens(usage), completionTokens(usage), usage.cacheReadTokens, usage.reasoningTokens];
    const added = [1, failed, ...tokens, Number(cost ?? 0n), Number(charge)];
    for (const [index, value] of added.entries()) rollup[index + 6] = (rollup[index + 6] as number) + value * calls;
    if (firstByteMs === null) return;
    const bucket = bucketOf(firstByteMs);
    const bucketPlace = `${accountId} ${bucket} ${model} ${hour}`;
    const counted = this.buckets.get(bucketPlace) ?? [accountId, bucket, model, hour, 0];
    this.buckets.set(bucketPlace, counted);
    counted[4] += calls;
  }
}

/** Records in the shape of a day file. */
function makeSamples(path: string, samples: readonly CallRecord[]): void {
  mkdirSync(dirname(path), { recursive: true });
  const file = new DayFile(path);
  file.insert(samples);
  file.close();
}

interface Day {
  readonly day: number;
  readonly calls: number;
  readonly sums: DaySums;
}

/** Call number n of a day comes at its n-th part. */
function makeDay(path: string, samplePath: string, { day, calls, sums }: Day): void {
  new DayFile(path).close();
  const file = new DatabaseSync(path);
  file.exec(FAST);
  file.prepare('ATTACH DATABASE ? AS samples').run(samplePath);
  file.exec(`CREATE TEMP TABLE sample AS SELECT * FROM samples.records ORDER BY rowid;
    BEGIN; INSERT INTO main.names SELECT * FROM samples.names`);
  const columns = `account_id, project_id, key_id, model, provider, status, ending, prompt_tokens, completion_tokens,
    cost_nano, charge_nano, first_byte_us, duration_us, upstream_id, detail`;
  file
    .prepare(
      `WITH RECURSIVE numbers (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n + 1 < :calls)
       INSERT INTO main.records (call_id, ${columns})
       SELECT unhex(printf('%012x', :start + n * ${DAY_MS} / :calls) || hex(randomblob(10))), ${columns}
       FROM numbers CROSS JOIN temp.sample ON sample.rowid = n * ${STEP} % ${SAMPLES} + 1`,
    )
    .run({ calls, start: day * DAY_MS });
  const insert = file.prepare('INSERT INTO main.first_bytes SELECT ?, ?, id, ?, ? FROM main.names WHERE name = ?');
  for (const [account, bucket, model, hour, count] of sums.buckets.values())
    insert.run(account, bucket, hour, count, model);
  file.exec('COMMIT; DETACH DATABASE samples; PRAGMA wal_checkpoint(TRUNCATE)');
  file.close();
}

function addSums(ledger: DatabaseSync, rollups: Iterable<Rollup>): void {
  const add = ledger.prepare('INSERT OR IGNORE INTO names (name) VALUES (?)');
  const find = ledger.prepare('SELECT id FROM names WHERE name = ?');
  const ids = new Map<string, number>();
  const numberOf = (name: string): number => {
    const known = ids.get(name);
    if (known !== undefined) return known;
    add.run(name);
    const { id } = find.get(name) as { id: number };
    ids.set(name, id);
    return id;
  };
  ledger.exec('BEGIN');
  const insert = ledger.prepare(
    `INSERT INTO rollups_hour (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  for (const [hour, account, project, key, model, provider, ...sums] of rollups)
    insert.run(hour, account, project, key, numberOf(model), numberOf(provider), ...sums);
  ledger.exec('COMMIT');
}

/** What is made up; the other sums are 0. */
const COLUMNS =
  'start, account_id, project_id, key_id, model, provider, calls, failed, prompt_tokens, completion_tokens, cached_tokens, reasoning_tokens, cost_nano, charge_nano';

function addDays(ledger: DatabaseSync, day: number): void {
  ledger
    .prepare(
      `INSERT INTO rollups_day (${COLUMNS}) SELECT start / 24, account_id, project_id, key_id, model, provider, sum(calls), sum(failed),
         sum(prompt_tokens), sum(completion_tokens), sum(cached_tokens), sum(reasoning_tokens), sum(cost_nano), sum(charge_nano)
       FROM rollups_hour WHERE start >= ? AND start < ? GROUP BY 1, 2, 3, 4, 5, 6`,
    )
    .run(day * 24, (day + 1) * 24);
}
