/** Goal: a watcher sees its calls as they end, learns how many it missed, and costs nothing after it has left. Method: a real recorder, time moved by hand. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../core/clock.ts';
import { accountId, newCallId } from '../core/ids.ts';
import { nanoUsd } from '../core/money.ts';
import { NO_USAGE } from '../core/usage.ts';
import type { CallFilter } from './call-list.ts';
import { LiveCalls, type LiveNews } from './live-calls.ts';
import type { CallRecord } from './ports.ts';
import { Recorder } from './recorder.ts';

const ANY: CallFilter = {
  projectId: null,
  keyId: null,
  model: null,
  provider: null,
  status: null,
  outcome: null,
  ending: null,
  streamed: null,
  minCharge: null,
  minDurationMs: null,
  labels: null,
};
const ACME = accountId(1);

test('a watcher gets calls that end while it watches, if they match its account and filter', async () => {
  const { recorder, live, clock } = subject();
  recorder.append(ended({ model: 'before' }));
  const watcher = watch(live, { model: 'a/b' });
  recorder.append(ended({ model: 'a/b' }));
  recorder.append(ended({ model: 'a/b', accountId: accountId(2) }));
  recorder.append(ended({ model: 'c/d' }));
  clock.advance(200);
  const { value } = await watcher.news.next();
  assert.ok(value?.type === 'call');
  assert.deepEqual([value.call.model, value.call.accountId], ['a/b', ACME]);
  watcher.leave();
  assert.equal((await watcher.news.next()).done, true);
});

test('a call that ends while the reader waits wakes it', async () => {
  const { recorder, live, clock } = subject();
  const watcher = watch(live);
  const next = watcher.news.next();
  recorder.append(ended({}));
  clock.advance(200);
  assert.equal((await next).value?.type, 'call');
  watcher.leave();
});

test('a reader that is too slow gets the newest calls and the number it missed', async () => {
  const { recorder, live, clock } = subject();
  const watcher = watch(live);
  for (let number = 0; number < 450; number += 1) recorder.append(ended({ status: number }));
  clock.advance(200);
  assert.deepEqual((await watcher.news.next()).value, { type: 'missed', calls: 430 });
  const { value } = await watcher.news.next();
  assert.ok(value?.type === 'call');
  assert.equal(value.call.status, 430);
  watcher.leave();
});

test('if more calls ended than are kept in memory, the reader learns that some are missing but not how many', async () => {
  const { recorder, live, clock } = subject();
  const watcher = watch(live);
  for (let number = 0; number < 1_001; number += 1) recorder.append(ended({ accountId: accountId(2) }));
  clock.advance(200);
  assert.deepEqual((await watcher.news.next()).value, { type: 'missed', calls: null });
  watcher.leave();
});

test('a watcher that leaves or stops reading is removed; a pending read ends', async () => {
  const { live } = subject();
  const [gone, stopped] = [watch(live), watch(live)];
  const waiting = gone.news.next();
  assert.equal(live.size, 2);
  gone.leave();
  assert.equal((await waiting).done, true);
  await stopped.news.return?.();
  assert.equal(live.size, 0);
  const late = live.follow({ ...ANY, accountId: ACME }, AbortSignal.abort());
  assert.equal((await late[Symbol.asyncIterator]().next()).done, true);
  assert.equal(live.size, 0);
});

test('the number of concurrent watchers is limited', () => {
  const { live } = subject();
  for (let count = 0; count < 200; count += 1) watch(live);
  assert.throws(() => watch(live), { code: 'shedding' });
});

function subject() {
  const clock = new ManualClock();
  const recorder = new Recorder({ append: () => {}, waiting: () => null, tail: async () => [], drain: async () => {} });
  return { clock, recorder, live: new LiveCalls({ recorder, clock }) };
}

function watch(live: LiveCalls, filter: Partial<CallFilter> = {}) {
  const gone = new AbortController();
  const news: AsyncIterator<LiveNews> = live
    .follow({ ...ANY, ...filter, accountId: ACME }, gone.signal)
    [Symbol.asyncIterator]();
  return { news, leave: () => gone.abort() };
}

function ended(changes: Partial<CallRecord>): CallRecord {
  const record = { callId: newCallId(0), accountId: ACME, usage: NO_USAGE, warnings: [], charge: nanoUsd(0n) };
  return { ...record, ...changes } as unknown as CallRecord;
}
