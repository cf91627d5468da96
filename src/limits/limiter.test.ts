/**
 * Goal: no more passes than the limits of key, project and account together allow; a refusal names its limit, and the right
 * time to wait. Method: a clock moved by hand, tables of limits, and random callers.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { ManualClock } from '../core/clock.ts';
import { admitted, ask, key, limiterAt, MINUTE_MS, NONE, refusalOf, takeFor, ticketOf } from './fixture.ts';

test('nothing is counted if nothing is limited', () => {
  const limiter = limiterAt(new ManualClock());
  assert.equal(limiter.take(NONE, NONE, NONE, 1e9), null);
  assert.equal(limiter.size, 0);
});

describe('requests a minute', () => {
  test('a burst of exactly the limit passes, and not one call more', () => {
    const limiter = limiterAt(new ManualClock());
    assert.equal(
      admitted(61, () => ask(limiter, { requestsPerMinute: 60 })),
      60,
    );
  });

  test('the refusal names the limit, and when it will pass', () => {
    const clock = new ManualClock(Date.UTC(2026, 10, 21, 12));
    const limiter = limiterAt(clock);
    clock.advance(10_000);
    takeFor(limiter, { requestsPerMinute: 1 });
    const error = refusalOf(ask(limiter, { requestsPerMinute: 1 }));
    assert.deepEqual(error?.facts, {
      binding: 'key_requests_per_minute',
      limit: 1,
      remaining: 0,
      resets_at: '2026-11-21T12:01:00.000Z',
    });
    assert.equal(error?.status, 429);
    assert.equal(error?.retryAfterSeconds, 51);
    assert.match(
      error?.message ?? '',
      /^This key has reached its limit of 1 requests per minute\. Try again in 51 seconds.* an admin of the account can raise the limit\.$/,
    );
  });

  test('half a minute after a full minute, half of the limit passes', () => {
    const clock = new ManualClock();
    const limiter = limiterAt(clock);
    const take = () => ask(limiter, { requestsPerMinute: 60 });
    assert.equal(admitted(60, take), 60);
    clock.advance(MINUTE_MS + 30_000);
    assert.equal(admitted(60, take), 30);
  });

  test('a jump of the wall clock changes nothing', () => {
    const clock = new ManualClock();
    const limiter = limiterAt(clock);
    takeFor(limiter, { requestsPerMinute: 1 });
    for (const jump of [86_400_000, -3 * 86_400_000]) {
      clock.stepWall(jump);
      assert.ok(refusalOf(ask(limiter, { requestsPerMinute: 1 })));
    }
  });

  test('a changed limit applies from the next call', () => {
    const limiter = limiterAt(new ManualClock());
    assert.equal(
      admitted(5, () => ask(limiter, { requestsPerMinute: 10 })),
      5,
    );
    assert.equal(refusalOf(ask(limiter, { requestsPerMinute: 5 }))?.facts?.['limit'], 5);
    takeFor(limiter, { requestsPerMinute: 6 });
  });

  const calls = fc.array(fc.tuple(fc.nat(20_000), fc.integer({ min: 1, max: 40 })), { maxLength: 60 });

  test('at most twice the limit passes in any 60 s, whenever calls arrive', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 30 }), calls, (limit, bursts) => {
        const clock = new ManualClock();
        const limiter = limiterAt(clock);
        const times: number[] = [];
        for (const [pause, count] of bursts) {
          clock.advance(pause);
          const passed = admitted(count, () => ask(limiter, { requestsPerMinute: limit }));
          for (let index = 0; index < passed; index += 1) times.push(clock.monotonic());
        }
        for (const start of times) {
          const inWindow = times.filter((time) => time >= start && time < start + MINUTE_MS).length;
          assert.ok(inWindow <= 2 * limit, `${inWindow} in a minute`);
        }
      }),
    );
  });

  test('a steady rate below the limit always passes', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 200 }),
        fc.nat(MINUTE_MS),
        fc.double({ min: 1e-6, max: 1, noNaN: true }),
        (limit, phase, slack) => {
          const clock = new ManualClock();
          const limiter = limiterAt(clock);
          clock.advance(phase);
          for (let call = 0; call < 3 * limit; call += 1) {
            takeFor(limiter, { requestsPerMinute: limit });
            clock.advance((MINUTE_MS / limit) * (1 + slack));
          }
        },
      ),
    );
  });
});

test('a call passes after the wait that its refusal named, which is no longer than needed', () => {
  const step = fc.record({ pause: fc.nat(30_000), count: fc.integer({ min: 1, max: 20 }), tokens: fc.nat(300) });
  const limits = fc.record(
    {
      requestsPerMinute: fc.integer({ min: 1, max: 10 }),
      tokensPerMinute: fc.integer({ min: 1, max: 500 }),
      requestsPerDay: fc.integer({ min: 1, max: 100 }),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(limits, limits, fc.array(step, { maxLength: 10 }), step, (ofKey, ofProject, steps, last) => {
      const clock = new ManualClock();
      const limiter = limiterAt(clock);
      const take = (tokens: number) => limiter.take(key(ofKey), key(ofProject), NONE, tokens);
      for (const { pause, count, tokens } of steps) {
        clock.advance(pause);
        admitted(count, () => take(tokens));
      }
      const error = refusalOf(take(last.tokens));
      if (error === null) return;
      const seconds = error.retryAfterSeconds ?? 0;
      assert.ok(Number.isInteger(seconds) && seconds >= 1);
      if (seconds > 2) {
        clock.advance((seconds - 2) * 1000);
        assert.ok(refusalOf(take(last.tokens)));
        clock.advance(2000);
      } else clock.advance(seconds * 1000);
      assert.equal(refusalOf(take(last.tokens)), null);
    }),
    { numRuns: 500 },
  );
});

describe('requests a day', () => {
  const limits = { requestsPerDay: 3 };

  test('the count continues from before the start, and resets at midnight UTC', () => {
    const clock = new ManualClock(Date.UTC(2026, 10, 21, 23, 59));
    const limiter = limiterAt(clock, (scope, id) => (scope === 'key' && id === 1 ? 2 : 0));
    takeFor(limiter, limits);
    const error = refusalOf(ask(limiter, limits));
    assert.equal(error?.facts?.['binding'], 'key_requests_per_day');
    assert.equal(error?.facts?.['resets_at'], '2026-11-22T00:00:00.000Z');
    assert.equal(error?.retryAfterSeconds, 61);
    clock.advance(MINUTE_MS);
    assert.equal(
      admitted(4, () => ask(limiter, limits)),
      3,
    );
  });

  test('setting the clock back across midnight does not reset the count, correcting it by days does', () => {
    const clock = new ManualClock(Date.UTC(2026, 10, 21, 23, 59));
    const limiter = limiterAt(clock);
    clock.stepWall(2 * MINUTE_MS);
    assert.equal(
      admitted(4, () => ask(limiter, limits)),
      3,
    );
    clock.stepWall(-2 * MINUTE_MS);
    assert.ok(refusalOf(ask(limiter, limits)));
    clock.stepWall(-5 * 86_400_000);
    takeFor(limiter, limits);
  });
});

test('giving a call back after midnight or after its minute does not affect later calls', () => {
  const clock = new ManualClock(Date.UTC(2026, 10, 21, 23, 59));
  const limiter = limiterAt(clock);
  const limits = { requestsPerDay: 2, requestsPerMinute: 2 };
  const ticket = takeFor(limiter, limits);
  clock.advance(3 * MINUTE_MS);
  takeFor(limiter, limits);
  limiter.giveBack(ticket);
  assert.deepEqual(
    limiter.readings(key(limits), NONE, NONE).map(({ remaining }) => remaining),
    [1, 1],
  );
});

describe('running calls', () => {
  const limits = { concurrentCalls: 2 };

  test('a call that ended frees its slot, whether corrected or given back', () => {
    const limiter = limiterAt(new ManualClock());
    const first = takeFor(limiter, limits);
    const second = takeFor(limiter, limits);
    const error = refusalOf(ask(limiter, limits));
    assert.deepEqual(error?.facts, { binding: 'key_concurrent_calls', limit: 2, remaining: 0, resets_at: null });
    assert.equal(error?.retryAfterSeconds, 2);
    limiter.correct(first, 0);
    limiter.giveBack(second);
    assert.equal(limiter.size, 0);
    assert.equal(
      admitted(3, () => ask(limiter, limits)),
      2,
    );
  });

  test('a long call still counts, and is uncounted at its end even if the limit was removed', () => {
    const clock = new ManualClock();
    const limiter = limiterAt(clock);
    const tickets = [takeFor(limiter, limits), takeFor(limiter, limits)];
    clock.advance(50 * MINUTE_MS);
    assert.ok(refusalOf(ask(limiter, limits)));
    limiter.take(key({ requestsPerMinute: 1 }), NONE, NONE, 0);
    for (const ticket of tickets) limiter.correct(ticket, 0);
    takeFor(limiter, limits);
  });

  test('a call that ends twice is a programming error', () => {
    const limiter = limiterAt(new ManualClock());
    const ticket = takeFor(limiter, limits);
    limiter.correct(ticket, 0);
    assert.throws(() => limiter.correct(ticket, 0), /ends once/);
    assert.throws(() => limiter.giveBack(ticket), /ends once/);
  });
});

describe('key, project and account together', () => {
  test('a call refused by one scope is counted in none', () => {
    const limiter = limiterAt(new ManualClock());
    const all = { requestsPerMinute: 5, requestsPerDay: 5, tokensPerMinute: 50, concurrentCalls: 5 };
    const full = key({ concurrentCalls: 1 });
    const before = limiter.readings(key(all), key(all), NONE);
    limiter.take(NONE, NONE, full, 0);
    for (let call = 0; call < 3; call += 1)
      assert.equal(
        refusalOf(limiter.take(key(all), key(all), full, 10))?.facts?.['binding'],
        'account_concurrent_calls',
      );
    assert.deepEqual(limiter.readings(key(all), key(all), NONE), before);
  });

  test('giving a call back leaves the counts as they were', () => {
    const clock = new ManualClock();
    const limiter = limiterAt(clock);
    const all = { requestsPerMinute: 5, requestsPerDay: 5, tokensPerMinute: 50, concurrentCalls: 5 };
    const subjects = [key(all, 1), key(all, 2), key(all, 3)] as const;
    limiter.take(...subjects, 7);
    const before = limiter.readings(...subjects);
    limiter.giveBack(ticketOf(limiter.take(...subjects, 20)));
    assert.deepEqual(limiter.readings(...subjects), before);
  });

  test('of several limits that refuse, the one with the longest wait is named', () => {
    const clock = new ManualClock(Date.UTC(2026, 10, 21, 12));
    const limiter = limiterAt(clock);
    const subjects = [key({ requestsPerMinute: 1 }), key({ requestsPerDay: 1 }), key({ concurrentCalls: 1 })] as const;
    limiter.take(...subjects, 0);
    const error = refusalOf(limiter.take(...subjects, 0));
    assert.equal(error?.facts?.['binding'], 'project_requests_per_day');
    assert.equal(error?.retryAfterSeconds, 12 * 3600 + 1);
  });

  test('keys of a project share its limit, and equal ids of different scopes are counted separately', () => {
    const limiter = limiterAt(new ManualClock());
    const project = key({ requestsPerMinute: 2 }, 9);
    limiter.take(key({ requestsPerMinute: 5 }, 9), project, NONE, 0);
    limiter.take(key({ requestsPerMinute: 5 }, 10), project, NONE, 0);
    assert.match(
      refusalOf(limiter.take(key({}, 11), project, NONE, 0))?.message ?? '',
      /^The project of this key has reached its limit/,
    );
    ticketOf(limiter.take(key({ requestsPerMinute: 5 }, 10), NONE, NONE, 0));
  });
});

test('a million keys with one call each are removed from memory after two minutes', () => {
  const clock = new ManualClock();
  const limiter = limiterAt(clock);
  const limits = { requestsPerMinute: 10, tokensPerMinute: 1000, concurrentCalls: 3 };
  for (let id = 1; id <= 1_000_000; id += 1) {
    limiter.correct(ticketOf(limiter.take({ id, limits }, NONE, NONE, 10)), 20);
  }
  assert.equal(limiter.size, 1_000_000);
  clock.advance(MINUTE_MS);
  takeFor(limiter, limits);
  clock.advance(MINUTE_MS);
  takeFor(limiter, limits);
  // The window of the one key that still makes calls (in both generations), and its two running calls.
  assert.ok(limiter.size <= 3, String(limiter.size));
});

test('the counts of a day are deleted when it ends', () => {
  const clock = new ManualClock();
  const limiter = limiterAt(clock);
  for (let id = 1; id <= 1000; id += 1) limiter.take({ id, limits: { requestsPerDay: 1 } }, NONE, NONE, 0);
  clock.advance(86_400_000);
  takeFor(limiter, { requestsPerDay: 1 });
  assert.equal(limiter.size, 1);
});
