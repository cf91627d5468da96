/**
 * Goal: headers show the current limits in the form that OpenAI's clients read. Method: a limiter and a clock moved by hand;
 * a table of durations.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ManualClock } from '../core/clock.ts';
import { GatewayError } from '../core/errors.ts';
import { ask, key, limiterAt, refusalOf, takeFor, ticketOf } from './fixture.ts';
import { rateLimitHeadersOf } from './rate-limit-exceeded.ts';
import { durationText } from './rate-limit-headers.ts';

describe('headers', () => {
  test('the headers show the limit of each kind that leaves the least', () => {
    const clock = new ManualClock(Date.UTC(2026, 10, 21, 12));
    const limiter = limiterAt(clock);
    clock.advance(20_000);
    const answer = limiter.take(
      key({ requestsPerMinute: 60, tokensPerMinute: 1000 }),
      key({ requestsPerDay: 10 }),
      key({ tokensPerMinute: 900, concurrentCalls: 1 }),
      100,
    );
    assert.deepEqual(ticketOf(answer).headers(), [
      'x-ratelimit-limit-requests',
      '10',
      'x-ratelimit-remaining-requests',
      '9',
      'x-ratelimit-reset-requests',
      '11h59m40s',
      'x-ratelimit-limit-tokens',
      '900',
      'x-ratelimit-remaining-tokens',
      '800',
      'x-ratelimit-reset-tokens',
      '1m40s',
    ]);
  });

  test('only kinds that are limited have headers', () => {
    const limiter = limiterAt(new ManualClock());
    assert.deepEqual(takeFor(limiter, { concurrentCalls: 1 }).headers(), []);
    assert.deepEqual(takeFor(limiter, { tokensPerMinute: 5 }).headers().slice(0, 2), ['x-ratelimit-limit-tokens', '5']);
  });

  test('a refusal carries them too, and no other error does', () => {
    const limiter = limiterAt(new ManualClock());
    takeFor(limiter, { requestsPerMinute: 1 });
    const error = refusalOf(ask(limiter, { requestsPerMinute: 1 }));
    assert.ok(error !== null);
    assert.deepEqual(rateLimitHeadersOf(error), [
      'x-ratelimit-limit-requests',
      '1',
      'x-ratelimit-remaining-requests',
      '0',
      'x-ratelimit-reset-requests',
      '2m0s',
    ]);
    assert.deepEqual(rateLimitHeadersOf(new GatewayError('rate_limit_exceeded')), []);
  });
});

const durations: readonly [number, string][] = [
  [0, '0s'],
  [-5, '0s'],
  [0.2, '1ms'],
  [20, '20ms'],
  [999, '999ms'],
  [999.5, '1s'],
  [1000, '1s'],
  [1001, '2s'],
  [59_999, '1m0s'],
  [360_000, '6m0s'],
  [3_600_000, '1h0m0s'],
  [86_399_000, '23h59m59s'],
];

for (const [ms, text] of durations) {
  test(`${ms} ms are ${text}`, () => assert.equal(durationText(ms), text));
}
