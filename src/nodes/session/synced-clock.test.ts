/** Goal: a node shows the database's time, whatever its own clock does, and time never goes back by surprise. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../../core/clock.ts';
import { STEP_MS, SyncedClock } from './synced-clock.ts';

const START = Date.UTC(2026, 4, 1);

/** A node whose own clock is `wrongBy` ahead of a database at `START`. */
function nodeWith(wrongBy: number) {
  const own = new ManualClock(START + wrongBy);
  const steps: number[] = [];
  const clock = new SyncedClock(own, (byMs) => steps.push(byMs));
  /** Measures; the database is `skew` ahead of START plus the time that passed, and the answer takes `tripMs`. */
  const measure = (skew = 0, tripMs = 0) => {
    const askedAt = own.monotonic();
    own.advance(tripMs);
    clock.sync({ now: START + skew + askedAt + tripMs / 2, askedAt, answeredAt: own.monotonic() });
  };
  return { own, clock, steps, measure };
}

test('before the first measurement it shows the time of the process', () => {
  const { own, clock } = nodeWith(3_600_000);
  assert.equal(clock.now(), own.now());
});

test('an hour off, it shows the time of the database, and steps of its own wall clock change nothing', () => {
  for (const wrongBy of [3_600_000, -3_600_000]) {
    const { own, clock, measure } = nodeWith(wrongBy);
    measure();
    assert.equal(clock.now(), START);
    own.advance(1_234);
    own.stepWall(-7_200_000);
    assert.equal(clock.now(), START + 1_234);
  }
});

test('timers and durations are those of the process', () => {
  const { own, clock, measure } = nodeWith(5_000);
  measure();
  let ran = 0;
  clock.after(10, () => (ran += 1));
  clock.every(10, () => (ran += 1));
  own.advance(20);
  assert.equal(ran, 3);
  assert.equal(clock.monotonic(), own.monotonic());
});

test('a slow answer that agrees with what is known moves nothing', () => {
  const { clock, own, measure } = nodeWith(0);
  measure(0, 2);
  const before = clock.now() - own.monotonic();
  for (const trip of [400, 90, 2_000]) {
    // Within the uncertainty of half the trip.
    measure(trip / 2 - 1, trip);
    assert.equal(clock.now() - own.monotonic(), before, `a trip of ${trip} ms`);
  }
});

test('behind the database it moves forward at once, by the least that agrees with the measurement', () => {
  const { clock, own, measure } = nodeWith(0);
  measure();
  measure(300, 100);
  assert.equal(clock.now(), START + own.monotonic() + 250);
});

test('ahead of the database it never goes back, and runs at half speed until it agrees', () => {
  const { clock, own, measure } = nodeWith(0);
  measure(400);
  measure(0);
  assert.equal(clock.now(), START + 400);
  let last = clock.now();
  for (let passed = 1; passed <= 1_000; passed += 1) {
    own.advance(1);
    if (passed % 250 === 0) measure(0);
    const now = clock.now();
    assert.ok(now >= last, `${now} after ${last}`);
    assert.equal(now, START + passed + Math.max(0, Math.floor(400 - passed / 2)));
    last = now;
  }
  assert.equal(clock.now(), START + 1_000);
});

test('a difference above the bound is a step, which is reported', () => {
  for (const skew of [STEP_MS + 1, -STEP_MS - 1]) {
    const { clock, steps, measure } = nodeWith(0);
    measure();
    measure(skew);
    assert.equal(clock.now(), START + skew);
    assert.deepEqual(steps, [skew]);
  }
  const { clock, steps, measure } = nodeWith(0);
  measure();
  measure(-STEP_MS);
  assert.equal(clock.now(), START);
  assert.deepEqual(steps, []);
});

test('the first measurement is no step, and an answer before its question is ignored', () => {
  const { clock, steps, own, measure } = nodeWith(STEP_MS * 100);
  measure();
  assert.deepEqual(steps, []);
  own.advance(100);
  clock.sync({ now: START + 50_000, askedAt: 90, answeredAt: 80 });
  assert.equal(clock.now(), START + 100);
});
