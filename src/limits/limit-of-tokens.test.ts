/** Goal: what calls used in truth counts, no more and no less. Method: estimates and truths in a table, and at random. */
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
    assert.match(error?.message ?? '', /100 are left, and this prompt is taken for 101\..*shorter prompt/);
    takeFor(limiter, limits, 100);
  });

  test('what a call used beyond its estimate counts, also past the limit', () => {
    const limiter = limiterAt(new ManualClock());
    limiter.correct(takeFor(limiter, limits, 10), 1500);
    const error = refusalOf(ask(limiter, limits, 1));
    assert.equal(error?.facts?.['remaining'], 0);
    // This minute to its end, then until 1500 have become 999.
    assert.equal(error?.retryAfterSeconds, 60 + 21);
  });

  test('what a call used less than its estimate is free again, though its minute is over', () => {
    const clock = new ManualClock();
    const limiter = limiterAt(clock);
    const ticket = takeFor(limiter, limits, 1000);
    clock.advance(MINUTE_MS);
    assert.ok(refusalOf(ask(limiter, limits, 900)));
    limiter.correct(ticket, 50);
    takeFor(limiter, limits, 950);
  });

  test('a correction after the windows are forgotten takes nothing from other calls', () => {
    const clock = new ManualClock();
    const limiter = limiterAt(clock);
    const ticket = takeFor(limiter, limits, 1000);
    clock.advance(5 * MINUTE_MS);
    takeFor(limiter, limits, 600);
    limiter.correct(ticket, 0);
    assert.ok(refusalOf(ask(limiter, limits, 401)));
    takeFor(limiter, limits, 400);
  });

  test('tokens that come to light long after admission count in the minute they do', () => {
    const clock = new ManualClock();
    const limiter = limiterAt(clock);
    const ticket = takeFor(limiter, limits, 10);
    clock.advance(5 * MINUTE_MS);
    limiter.correct(ticket, 1000);
    assert.ok(refusalOf(ask(limiter, limits, 11)));
  });

  test('a prompt larger than the limit passes where nothing else counts', () => {
    const clock = new ManualClock();
    const limiter = limiterAt(clock);
    limiter.correct(takeFor(limiter, limits, 5000), 400);
    const error = refusalOf(ask(limiter, limits, 5000));
    assert.equal(error?.retryAfterSeconds, 121);
    clock.advance(2 * MINUTE_MS);
    takeFor(limiter, limits, 5000);
  });

  test('counts never fall below nothing, whatever is corrected', () => {
    const step = fc.tuple(fc.nat(40_000), fc.nat(1200), fc.nat(1200));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const clock = new ManualClock();
        const limiter = limiterAt(clock);
        const open: [Ticket, number][] = [];
        for (const [pause, estimate, truth] of steps) {
          clock.advance(pause);
          const answer = ask(limiter, limits, estimate);
          if (refusalOf(answer) !== null) continue;
          open.push([ticketOf(answer), truth]);
          const [ticket, tokens] = open.length > 2 ? (open.shift() ?? []) : [];
          if (ticket !== undefined && tokens !== undefined) limiter.correct(ticket, tokens);
          const reading = limiter.readings(key(limits), NONE, NONE)[0];
          assert.ok(reading !== undefined && reading.remaining >= 0 && reading.remaining <= 1000);
        }
      }),
    );
  });
});
