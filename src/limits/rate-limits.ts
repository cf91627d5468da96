/** The types of rate limits: what may be limited, in which scope, and a limit's current reading. */

/** Absent is unlimited; numbers are positive integers. */
export interface RateLimits {
  readonly requestsPerMinute?: number;
  /** Per UTC day. */
  readonly requestsPerDay?: number;
  readonly tokensPerMinute?: number;
  readonly concurrentCalls?: number;
}

export type RateName = keyof RateLimits;
export type RateScope = 'key' | 'project' | 'account';

/** The current state of a limit. */
export interface LimitReading {
  readonly scope: RateScope;
  readonly name: RateName;
  readonly limit: number;
  /** How much more would pass now. */
  readonly remaining: number;
  /** How long until the call would pass, ms; 0 if it passes now. */
  readonly waitMs: number;
  /** How long until the full limit is available again, ms; null if unknown. */
  readonly resetMs: number | null;
}

export function isLimited(limits: RateLimits): boolean {
  return (
    limits.requestsPerMinute !== undefined ||
    limits.tokensPerMinute !== undefined ||
    limits.requestsPerDay !== undefined ||
    limits.concurrentCalls !== undefined
  );
}
