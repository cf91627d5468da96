/** Goal: a call that has just ended is found without the storage, and every other is the storage's to find. Method: a reader that counts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accountId, type CallId, newCallId, projectId } from '../core/ids.ts';
import type { CallRecord, RecordStore, StatsReader } from './ports.ts';
import { RecentFirst } from './recent-first.ts';
import { Recorder } from './recorder.ts';

test('a call that has just ended is found by its id and by its provider’s', async () => {
  const { stats, recorder, asked } = subject();
  const record = ended({ upstreamId: 'msg_1' });
  recorder.append(record);
  assert.equal(await stats.call(record.callId), record);
  assert.equal(await stats.callByUpstreamId('msg_1', { accountId: accountId(1), projectId: projectId(1) }), record);
  assert.equal(await stats.callByUpstreamId('msg_1', { accountId: accountId(1), projectId: null }), record);
  assert.deepEqual(asked, []);
});

test('of two calls with the same id of a provider the newer one is found', async () => {
  const { stats, recorder } = subject();
  const records = [ended({ upstreamId: 'msg_1' }), ended({ upstreamId: 'msg_1' })];
  for (const record of records) recorder.append(record);
  assert.equal(await stats.callByUpstreamId('msg_1', { accountId: accountId(1), projectId: null }), records[1]);
});

test('a provider’s id is looked for among the owner’s calls only', async () => {
  const { stats, recorder, asked } = subject();
  recorder.append(ended({ upstreamId: 'msg_1' }));
  assert.equal(await stats.callByUpstreamId('msg_1', { accountId: accountId(2), projectId: null }), null);
  assert.equal(await stats.callByUpstreamId('msg_1', { accountId: accountId(1), projectId: projectId(2) }), null);
  assert.deepEqual(asked, ['msg_1', 'msg_1']);
});

test('a call that is not at hand is asked for behind it', async () => {
  const { stats, recorder, asked } = subject();
  const first = ended({});
  recorder.append(first);
  for (let number = 0; number < 1_000; number += 1) recorder.append(ended({}));
  assert.equal(await stats.call(first.callId), null);
  assert.deepEqual(asked, [first.callId]);
});

function subject() {
  const asked: string[] = [];
  const behind: StatsReader = {
    activity: async () => [],
    usage: () => assert.fail(),
    firstBytes: async () => new Map(),
    calls: async () => ({ calls: [], next: null, searchedToMs: null }),
    movements: async () => ({ movements: [], next: null, searchedToMs: null }),
    firstCall: async () => null,
    call: async (id: CallId) => {
      asked.push(id);
      return null;
    },
    callByUpstreamId: async (id) => {
      asked.push(id);
      return null;
    },
  };
  const store: RecordStore = { append: () => {}, tail: async () => [], drain: async () => {} };
  const recorder = new Recorder(store);
  return { stats: new RecentFirst(recorder, behind), recorder, asked };
}

function ended(changes: Partial<CallRecord>): CallRecord {
  const record = { callId: newCallId(0), accountId: accountId(1), projectId: projectId(1), upstreamId: null };
  return { ...record, ...changes } as CallRecord;
}
