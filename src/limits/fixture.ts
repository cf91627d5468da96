/** For tests of limits: callers with limits, and the outcome of their calls. */
import assert from 'node:assert/strict';
import type { ManualClock } from '../core/clock.ts';
import { type Limited, Limiter, type LimiterParts, type Ticket } from './limiter.ts';
import { RateLimitExceeded } from './rate-limit-exceeded.ts';
import type { RateLimits } from './rate-limits.ts';

export const NONE: Limited = { id: 1, limits: {} };
export const MINUTE_MS = 60_000;

export function limiterAt(clock: ManualClock, requestsToday: LimiterParts['requestsToday'] = () => 0): Limiter {
  return new Limiter({ clock, requestsToday });
}

export function key(limits: RateLimits, id = 1): Limited {
  return { id, limits };
}

/** The outcome of a call of a key with these limits. */
export function ask(limiter: Limiter, limits: RateLimits, tokens = 0): Answer {
  return limiter.take(key(limits), NONE, NONE, tokens);
}

/** The ticket of a call that passes. */
export function takeFor(limiter: Limiter, limits: RateLimits, tokens = 0): Ticket {
  return ticketOf(ask(limiter, limits, tokens));
}

export function ticketOf(answer: Answer): Ticket {
  assert.ok(answer !== null && answer.refused === null);
  return answer;
}

/** The error for a call that does not pass; null if it passes. */
export function refusalOf(answer: Answer): RateLimitExceeded | null {
  return answer === null || answer.refused === null ? null : new RateLimitExceeded(answer);
}

export function admitted(count: number, take: () => Answer): number {
  let passed = 0;
  for (let index = 0; index < count; index += 1) if (refusalOf(take()) === null) passed += 1;
  return passed;
}

type Answer = ReturnType<Limiter['take']>;
