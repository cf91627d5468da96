/** Goal: a follower gets each record once, in the order in which calls ended. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CallRecord, RecordQuery, RecordStore } from './ports.ts';
import { Recorder } from './recorder.ts';

test('a record is passed to the store, and reads are answered by the store', async () => {
  const store = new ArrayStore();
  const recorder = new Recorder(store);
  recorder.append(numbered(1));
  assert.deepEqual(await recorder.tail({ after: null, limit: 1 }), [numbered(1)]);
  await recorder.drain();
  assert.equal(store.drained, true);
});

test('asking with the last sequence number returns each record once', () => {
  const recorder = new Recorder(new ArrayStore());
  for (let number = 1; number <= 3; number += 1) recorder.append(numbered(number));
  const first = recorder.since(1);
  assert.deepEqual(numbers(first.records), [2, 3]);
  assert.equal(first.sequence, recorder.follow());
  assert.deepEqual(recorder.since(first.sequence), { records: [], sequence: 3 });
  recorder.append(numbered(4));
  assert.deepEqual(numbers(recorder.since(first.sequence).records), [4]);
});

test('the last thousand records are kept, in order, however many there were', () => {
  const recorder = new Recorder(new ArrayStore());
  for (let number = 1; number <= 2_345; number += 1) recorder.append(numbered(number));
  const { records, sequence } = recorder.since(0);
  assert.deepEqual(
    numbers(records),
    Array.from({ length: 1_000 }, (_, index) => 1_346 + index),
  );
  assert.equal(sequence, 2_345);
  assert.deepEqual(numbers(recorder.since(2_343).records), [2_344, 2_345]);
});

test('without a follower nothing is kept; a new follower gets everything from then on', () => {
  const recorder = new Recorder(new ArrayStore());
  const many = 20_001;
  for (let number = 1; number <= many; number += 1) recorder.append(numbered(number));
  assert.deepEqual(recorder.since(many - 5), { records: [], sequence: many });
  recorder.append(numbered(many + 1));
  assert.deepEqual(numbers(recorder.since(many).records), [many + 1]);
  for (let number = 2; number < 1_500; number += 1) recorder.append(numbered(many + number));
  const { records, sequence } = recorder.since(many + 1);
  assert.deepEqual([records.length, numbers(records).at(-1), sequence], [1_000, many + 1_499, many + 1_499]);
});

test('a follower that asks from time to time keeps following, however many calls there are', () => {
  const recorder = new Recorder(new ArrayStore());
  let sequence = recorder.follow();
  for (let number = 1; number <= 100_000; number += 1) {
    recorder.append(numbered(number));
    if (number % 10_000 !== 0) continue;
    const news = recorder.since(sequence);
    assert.deepEqual([news.records.length, numbers(news.records).at(-1)], [1_000, number]);
    sequence = news.sequence;
  }
});

test('a sequence number of an earlier run returns this run’s records from the start', () => {
  const recorder = new Recorder(new ArrayStore());
  recorder.append(numbered(1));
  assert.deepEqual(recorder.since(900), { records: [numbered(1)], sequence: 1 });
});

class ArrayStore implements RecordStore {
  readonly records: CallRecord[] = [];
  drained = false;

  append(record: CallRecord): void {
    this.records.push(record);
  }

  waiting(matches: (record: CallRecord) => boolean): CallRecord | null {
    return this.records.findLast(matches) ?? null;
  }

  async tail(query: RecordQuery): Promise<readonly CallRecord[]> {
    return this.records.slice(-query.limit);
  }

  async drain(): Promise<void> {
    this.drained = true;
  }
}

function numbered(number: number): CallRecord {
  return { status: number } as CallRecord;
}

function numbers(records: readonly CallRecord[]): number[] {
  return records.map((record) => record.status);
}
