/** Goal: rounds follow one another and never overlap. Method: rounds that end when the test says, on a clock that it moves. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../../core/clock.ts';
import { Rounds } from './rounds.ts';

const PERIOD_MS = 100;

function rounds() {
  const clock = new ManualClock();
  const ends: (() => void)[] = [];
  const run = () => new Promise<void>((resolve) => ends.push(resolve));
  return { clock, ends, rounds: new Rounds({ clock, run, periodMs: () => PERIOD_MS }) };
}

const turns = async () => {
  for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
};

test('the next round begins a period after the last one has ended', async () => {
  const subject = rounds();
  subject.rounds.start();
  subject.clock.advance(PERIOD_MS - 1);
  assert.equal(subject.ends.length, 0);
  subject.clock.advance(1);
  assert.equal(subject.ends.length, 1);
  subject.clock.advance(10 * PERIOD_MS);
  assert.equal(subject.ends.length, 1, 'it still runs');
  subject.ends[0]?.();
  await turns();
  subject.clock.advance(PERIOD_MS);
  assert.equal(subject.ends.length, 2);
});

test('who asks for a round while one runs gets that one', async () => {
  const subject = rounds();
  const [one, other] = [subject.rounds.next(), subject.rounds.next()];
  assert.equal(one, other);
  subject.ends[0]?.();
  await one;
  const next = subject.rounds.next();
  assert.equal(subject.ends.length, 2);
  subject.ends[1]?.();
  await next;
});

test('closed, it waits for the round that runs, and begins no other', async () => {
  const subject = rounds();
  subject.rounds.start();
  subject.clock.advance(PERIOD_MS);
  let isClosed = false;
  const closing = subject.rounds.close().then(() => {
    isClosed = true;
  });
  await turns();
  assert.equal(isClosed, false);
  subject.ends[0]?.();
  await closing;
  await turns();
  subject.clock.advance(10 * PERIOD_MS);
  assert.equal(subject.ends.length, 1);
});
