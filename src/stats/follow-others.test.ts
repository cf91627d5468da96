/**
 * Goal: the recorder learns what other nodes record while somebody follows calls, and nothing is read otherwise. Method: readings by hand,
 * time moved by hand.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ManualClock } from '../core/clock.ts';
import { followOthers } from './follow-others.ts';
import type { CallRecord, OthersNews } from './ports.ts';
import { Recorder } from './recorder.ts';

const NOTHING: OthersNews = { records: [], isComplete: true };
const numbered = (status: number) => ({ status }) as CallRecord;

test('records of others are among those that a follower gets, until it has left', async () => {
  const { recorder, clock, answers, closing, readings } = subject();
  recorder.append(numbered(1));
  assert.equal(readings(), 0);
  let sequence = recorder.follow();
  await nextTurn();
  answers.push({ records: [numbered(2), numbered(3)], isComplete: true });
  clock.advance(500);
  await nextTurn();
  recorder.append(numbered(4));
  const news = recorder.since(sequence);
  assert.deepEqual(
    news.records.map(({ status }) => status),
    [2, 3, 4],
  );
  sequence = news.sequence;
  for (let round = 0; round < 40; round += 1) {
    clock.advance(500);
    await nextTurn();
  }
  const before = readings();
  assert.ok(before <= 24, `nobody has asked for 20 s, and there were ${before} readings`);
  clock.advance(5_000);
  await nextTurn();
  assert.equal(readings(), before);
  recorder.since(sequence);
  await nextTurn();
  assert.equal(readings(), before + 1);
  await closing.disposeAsync();
  clock.advance(5_000);
  await nextTurn();
  assert.equal(readings(), before + 1);
});

test('a follower learns that some are missing; a reading that fails is made up for by the next', async () => {
  const { recorder, clock, answers, closing } = subject();
  const sequence = recorder.follow();
  await nextTurn();
  answers.push(new Error('away'), { records: [numbered(7)], isComplete: false });
  for (let round = 0; round < 2; round += 1) {
    clock.advance(500);
    await nextTurn();
  }
  const news = recorder.since(sequence);
  assert.deepEqual([news.records.map(({ status }) => status), news.sequence - sequence], [[7], 2]);
  await closing.disposeAsync();
});

function subject() {
  const clock = new ManualClock(0);
  const recorder = new Recorder({ append: () => {}, waiting: () => null, tail: async () => [], drain: async () => {} });
  const answers: (OthersNews | Error)[] = [];
  let count = 0;
  const reader = async () => {
    count += 1;
    const answer = answers.shift() ?? NOTHING;
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const closing = new AsyncDisposableStack();
  followOthers({ recorder, others: { read: () => reader }, clock }, closing);
  return { recorder, clock, answers, closing, readings: () => count };
}
