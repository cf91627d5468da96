/** Goal: a call whose record is not written yet is found without the storage, and all others are read from the storage. Method: a reader that counts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accountId, type CallId, newCallId, projectId } from '../core/ids.ts';
import { PendingFirstReader } from './pending-first-reader.ts';
import type { CallRecord, StatsReader } from './ports.ts';

test('a call whose record is waiting is found by its id and by its provider’s id', async () => {
  const { stats, waiting, asked } = subject();
  const record = ended({ upstreamId: 'msg_1' });
  waiting.push(record);
  assert.equal(await stats.call(record.callId), record);
  assert.equal(await stats.callByUpstreamId('msg_1', { accountId: accountId(1), projectId: projectId(1) }), record);
  assert.equal(await stats.callByUpstreamId('msg_1', { accountId: accountId(1), projectId: null }), record);
  assert.deepEqual(asked, []);
});

test('of two calls with the same provider id, the newer one is found', async () => {
  const { stats, waiting } = subject();
  const records = [ended({ upstreamId: 'msg_1' }), ended({ upstreamId: 'msg_1' })];
  waiting.push(...records);
  assert.equal(await stats.callByUpstreamId('msg_1', { accountId: accountId(1), projectId: null }), records[1]);
});

test('a provider’s id is searched among the owner’s calls only', async () => {
  const { stats, waiting, asked } = subject();
  waiting.push(ended({ upstreamId: 'msg_1' }));
  assert.equal(await stats.callByUpstreamId('msg_1', { accountId: accountId(2), projectId: null }), null);
  assert.equal(await stats.callByUpstreamId('msg_1', { accountId: accountId(1), projectId: projectId(2) }), null);
  assert.deepEqual(asked, ['msg_1', 'msg_1']);
});

test('a call whose record is written is read from the storage', async () => {
  const { stats, waiting, asked } = subject();
  const written = ended({});
  waiting.push(ended({}));
  assert.equal(await stats.call(written.callId), null);
  assert.deepEqual(asked, [written.callId]);
});

function subject() {
  const asked: string[] = [];
  const storage: StatsReader = {
    activity: async () => [],
    usage: () => assert.fail(),
    usageGroups: async () => ({ groups: [], count: 0 }),
    firstBytes: async () => new Map(),
    months: async () => ({ months: [], next: null }),
    calls: async () => ({ calls: [], next: null, searchedToMs: null }),
    movements: async () => ({ movements: [], next: null, searchedToMs: null }),
    firstCall: async () => null,
    allMovements: () => assert.fail(),
    allUsage: () => assert.fail(),
    allCalls: () => assert.fail(),
    call: async (id: CallId) => {
      asked.push(id);
      return null;
    },
    callByUpstreamId: async (id) => {
      asked.push(id);
      return null;
    },
  };
  const waiting: CallRecord[] = [];
  const records = { waiting: (isMeant: (record: CallRecord) => boolean) => waiting.findLast(isMeant) ?? null };
  return { stats: new PendingFirstReader(records, storage), waiting, asked };
}

function ended(changes: Partial<CallRecord>): CallRecord {
  const record = { callId: newCallId(0), accountId: accountId(1), projectId: projectId(1), upstreamId: null };
  return { ...record, ...changes } as CallRecord;
}
