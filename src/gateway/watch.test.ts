/** Goal: everything that is watched is checked a few times a second. Method: a clock that the test moves. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock, type Timer } from '../core/clock.ts';
import { NO_INDEX } from '../core/dense-set.ts';
import { Watch, type Watched } from './watch.ts';

class CountedClock extends ManualClock {
  timers = 0;

  override every(periodMs: number, run: () => void): Timer {
    this.timers += 1;
    const timer = super.every(periodMs, run);
    return {
      cancel: () => {
        this.timers -= 1;
        timer.cancel();
      },
    };
  }
}

function noting(): Watched & { readonly times: number[] } {
  const times: number[] = [];
  return { index: NO_INDEX, times, check: (nowMs) => void times.push(nowMs) };
}

test('everything is checked every 250 ms, with the same monotonic time', () => {
  const clock = new ManualClock();
  const watch = new Watch(clock);
  const [first, second] = [noting(), noting()];
  watch.add(first);
  watch.add(second);
  clock.advance(1_000);
  assert.deepEqual(first.times, [250, 500, 750, 1_000]);
  assert.deepEqual(second.times, first.times);
});

test('there is no timer while nothing is watched, and adding something starts it again', () => {
  const clock = new CountedClock();
  const watch = new Watch(clock);
  assert.equal(clock.timers, 0);
  const watched = noting();
  watch.add(watched);
  watch.add(noting());
  assert.equal(clock.timers, 1);
  watch.delete(watched);
  clock.advance(500);
  assert.equal(clock.timers, 1, 'the other one is still watched');

  const alone = new Watch(clock);
  alone.add(watched);
  alone.delete(watched);
  alone.add(watched);
  alone.delete(watched);
  assert.equal(clock.timers, 2, 'adding and deleting does not restart it');
  clock.advance(250);
  assert.equal(clock.timers, 1);
  alone.add(watched);
  clock.advance(250);
  assert.deepEqual(watched.times, [1_000]);
});

test('a step of the wall clock changes nothing', () => {
  const clock = new ManualClock();
  const watch = new Watch(clock);
  const watched = noting();
  watch.add(watched);
  clock.stepWall(3_600_000);
  clock.advance(250);
  assert.deepEqual(watched.times, [250]);
});

test('what removes itself, or another, is not checked again, not even in the same sweep', () => {
  const clock = new ManualClock();
  const watch = new Watch(clock);
  const other = noting();
  const own: number[] = [];
  const taking: Watched = {
    index: NO_INDEX,
    check(nowMs) {
      own.push(nowMs);
      watch.delete(taking);
      watch.delete(other);
    },
  };
  watch.add(taking);
  watch.add(other);
  clock.advance(1_000);
  assert.deepEqual(own, [250]);
  assert.deepEqual(other.times, []);
});

test('a closed watch checks nothing', () => {
  const clock = new ManualClock();
  const watch = new Watch(clock);
  const watched = noting();
  watch.add(watched);
  watch.close();
  clock.advance(10_000);
  assert.deepEqual(watched.times, []);
});
