/** Goal: exactly what calls really used counts. Method: estimated and actual tokens, in examples and at random. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { ManualClock } from '../core/clock.ts';
import { ask, key, limiterAt, MINUTE_MS, NONE, refusalOf, takeFor, ticketOf } from './fixture.ts';
import type { Ticket } from './limiter.ts';

describe('tokens a minute', () => {
  const limits = { tokensPerMinute: 1000 };

  test('a prompt that does not fit is refused with what is left', () => {
    const limiter = limiterAt(new ManualClock());
    takeFor(limiter, limits, 900);
    const error = refusalOf(ask(limiter, limits, 101));
    assert.equal(error?.facts?.['binding'], 'key_tokens_per_minute');
    assert.equal(error?.facts?.['remaining'], 100);
    assert.match(error?.message ?? '', /100 are left, and this prompt is estimated at 101\..*shorter prompt/);
    takeFor(limiter, limits, 100);
  });

  test('tokens beyond a call’s estimate count, even past the limit', () => {
    const limiter = limiterAt(new ManualClock());
    limiter.correct(takeFor(limiter, limits, 10), 1500);
    const error = refusalOf(ask(limiter, limits, 1));
    assert.equal(error?.facts?.['remaining'], 0);
    // To the end of this minute, then until 1500 have become 999.
    assert.equal(error?.retryAfterSeconds, 60 + 21);
  });

  test('tokens that a call did not use are available again, even after its minute', () => {
    const clock = new ManualClock();
    const limiter = limiterAt(clock);
    const ticket = takeFor(limiter, limits, 1000);
    clock.advance(MINUTE_MS);
    assert.ok(refusalOf(ask(limiter, limits, 900)));
    limiter.correct(ticket, 50);
    takeFor(limiter, limits, 950);
  });

  test('a correction after the windows were deleted does not affect other calls', () => {
    const clock = new ManualClock();
    const limiter = limiterAt(clock);
    const ticket = takeFor(limiter, limits, 1000);
    clock.advance(5 * MINUTE_MS);
    takeFor(limiter, limits, 600);
    limiter.correct(ticket, 0);
    assert.ok(refusalOf(ask(limiter, limits, 401)));
    takeFor(limiter, limits, 400);
  });

  test('tokens reported long after admission count in the minute of the report', () => {
    const clock = new ManualClock();
    const limiter = limiterAt(clock);
    const ticket = takeFor(limiter, limits, 10);
    clock.advance(5 * MINUTE_MS);
    limiter.correct(ticket, 1000);
    assert.ok(refusalOf(ask(limiter, limits, 11)));
  });

  test('a prompt larger than the limit passes if nothing else counts', () => {
    const clock = new ManualClock();
    const limiter = limiterAt(clock);
    limiter.correct(takeFor(limiter, limits, 5000), 400);
    const error = refusalOf(ask(limiter, limits, 5000));
    assert.equal(error?.retryAfterSeconds, 121);
    clock.advance(2 * MINUTE_MS);
    takeFor(limiter, limits, 5000);
  });

  test('counts never fall below zero, whatever is corrected', () => {
    const step = fc.tuple(fc.nat(40_000), fc.nat(1200), fc.nat(1200));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const clock = new ManualClock();
        const limiter = limiterAt(clock);
        const open: [Ticket, number][] = [];
        for (const [pause, estimate, actual] of steps) {
          clock.advance(pause);
          const answer = ask(limiter, limits, estimate);
          if (refusalOf(answer) !== null) continue;
          open.push([ticketOf(answer), actual]);
          const [ticket, tokens] = open.length > 2 ? (open.shift() ?? []) : [];
          if (ticket !== undefined && tokens !== undefined) limiter.correct(ticket, tokens);
          const reading = limiter.readings(key(limits), NONE, NONE)[0];
          assert.ok(reading !== undefined && reading.remaining >= 0 && reading.remaining <= 1000);
        }
      }),
    );
  });
});
