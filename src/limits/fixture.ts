/** For tests of limits: callers with limits, and what became of their calls. */
import assert from 'node:assert/strict';
import type { ManualClock } from '../core/clock.ts';
import { GatewayError } from '../core/errors.ts';
import { type Limited, Limiter, type LimiterParts, type RateLimits, type Ticket } from './limiter.ts';

export const NONE: Limited = { id: 1, limits: {} };
export const MINUTE_MS = 60_000;

export function limiterAt(clock: ManualClock, requestsToday: LimiterParts['requestsToday'] = () => 0): Limiter {
  return new Limiter({ clock, requestsToday });
}

export function key(limits: RateLimits, id = 1): Limited {
  return { id, limits };
}

export function takeFor(limiter: Limiter, limits: RateLimits, tokens = 0): Ticket {
  const ticket = limiter.take(key(limits), NONE, NONE, tokens);
  assert.ok(ticket !== null);
  return ticket;
}

/** The refusal of a call, or null when it passes. */
export function refusalOf(take: () => unknown): GatewayError | null {
  try {
    take();
    return null;
  } catch (error) {
    assert.ok(error instanceof GatewayError && error.code === 'rate_limit_exceeded', String(error));
    return error;
  }
}

export function admitted(count: number, take: () => unknown): number {
  let passed = 0;
  for (let index = 0; index < count; index += 1) if (refusalOf(take) === null) passed += 1;
  return passed;
}
