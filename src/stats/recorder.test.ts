/** Goal: whoever follows along hears of each record once, in the order in which calls ended. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CallRecord, RecordQuery, RecordStore } from './ports.ts';
import { Recorder } from './recorder.ts';

test('a record goes to the store, and the rest is the store’s', async () => {
  const store = new ArrayStore();
  const recorder = new Recorder(store);
  recorder.append(numbered(1));
  assert.deepEqual(await recorder.tail({ after: null, limit: 1 }), [numbered(1)]);
  await recorder.drain();
  assert.equal(store.drained, true);
});

test('each record is told once to whoever asks with the number told last', () => {
  const recorder = new Recorder(new ArrayStore());
  for (let number = 1; number <= 3; number += 1) recorder.append(numbered(number));
  const first = recorder.since(1);
  assert.deepEqual(numbers(first.records), [2, 3]);
  assert.equal(first.sequence, recorder.sequence);
  assert.deepEqual(recorder.since(first.sequence), { records: [], sequence: 3 });
  recorder.append(numbered(4));
  assert.deepEqual(numbers(recorder.since(first.sequence).records), [4]);
});

test('the last thousand are kept, in order, however many there were', () => {
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

test('a number of an earlier run begins at the beginning of this one', () => {
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
