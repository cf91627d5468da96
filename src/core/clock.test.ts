/** Goal: a test can trust the manual clock. Method: order, periods, cancelling, and the two kinds of time. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock, systemClock } from './clock.ts';

test('timers run when they are due, in order, and see the time they were due at', () => {
  const clock = new ManualClock(1_000);
  const seen: [string, number][] = [];
  clock.after(30, () => seen.push(['late', clock.now()]));
  clock.after(10, () => seen.push(['early', clock.now()]));
  clock.advance(29);
  assert.deepEqual(seen, [['early', 1_010]]);
  clock.advance(1);
  assert.deepEqual(seen.at(-1), ['late', 1_030]);
});

test('a periodic timer repeats until it is cancelled, even by its own callback', () => {
  const clock = new ManualClock();
  let runs = 0;
  const timer = clock.every(10, () => {
    runs += 1;
    if (runs === 3) timer.cancel();
  });
  clock.advance(100);
  assert.equal(runs, 3);
});

test('a timer set by a timer runs in the same advance if it is due within it', () => {
  const clock = new ManualClock();
  const seen: number[] = [];
  clock.after(5, () => clock.after(5, () => seen.push(clock.monotonic())));
  clock.advance(10);
  assert.deepEqual(seen, [10]);
});

test('a step of the wall clock moves no timer and no duration', () => {
  const clock = new ManualClock(0);
  let ran = false;
  clock.after(10, () => {
    ran = true;
  });
  clock.stepWall(3_600_000);
  assert.equal(ran, false);
  assert.equal(clock.monotonic(), 0);
  assert.equal(clock.now(), 3_600_000);
});

test('the system clock returns the time of day and runs forward', () => {
  assert.ok(Math.abs(systemClock.now() - Date.now()) < 1_000);
  const before = systemClock.monotonic();
  assert.ok(systemClock.monotonic() >= before);
});
