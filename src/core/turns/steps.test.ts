/** Goal: long work gives the loop to others between its steps, and has the same result either way. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../clock.ts';
import { runAtOnce, runInTurns, type Steps } from './steps.ts';

const STEP_MS = 2;

function* count(to: number, each: () => void): Steps<number> {
  for (let at = 0; at < to; at += 1) {
    each();
    yield;
  }
  return to;
}

test('steps that together take long are turns apart, and short ones share a turn', async () => {
  const clock = new ManualClock();
  const events: string[] = [];
  const other = () => {
    events.push('other');
    if (events.filter((event) => event === 'step').length < 7) setImmediate(other);
  };
  setImmediate(other);
  const done = runInTurns(
    count(7, () => {
      clock.advance(STEP_MS);
      events.push('step');
    }),
    clock,
  );
  assert.equal(await done, 7);
  const runs = events
    .join(' ')
    .split('other')
    .map((run) => run.trim().split(' ').filter(Boolean).length);
  assert.ok(Math.max(...runs) === 3 && runs.length > 2, events.join(' '));
});

test('what fails in a step fails as it is, at once and in turns', async () => {
  const fault = new RangeError('no');
  const failing = () =>
    count(2, () => {
      throw fault;
    });
  assert.throws(() => runAtOnce(failing()), fault);
  await assert.rejects(runInTurns(failing(), new ManualClock()), fault);
  assert.equal(runAtOnce(count(3, () => undefined)), 3);
});
