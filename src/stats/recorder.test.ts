/** Goal: whoever watches hears of each record once, as it goes to the store. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Bus } from '../core/bus.ts';
import type { CallRecord, RecordQuery, RecordStore } from './ports.ts';
import { Recorder, type RecordTopics } from './recorder.ts';

test('a record goes to the store and then to the listeners; the rest is the store’s', async () => {
  const store = new ArrayStore();
  const bus = new Bus<RecordTopics>();
  const recorder = new Recorder(store, bus);
  const heard: number[] = [];
  bus.subscribe('record', () => heard.push(store.records.length));
  const record = { model: 'acme/large' } as CallRecord;
  recorder.append(record);
  assert.deepEqual(heard, [1]);
  assert.deepEqual(await recorder.tail({ after: null, limit: 1 }), [record]);
  await recorder.drain();
  assert.equal(store.drained, true);
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
