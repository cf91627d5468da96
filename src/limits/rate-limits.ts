/** The words of rate limits: what may be limited, whose it is, and where it stands. */

/** Absent is unlimited; numbers are positive integers. */
export interface RateLimits {
  readonly requestsPerMinute?: number;
  /** Of the UTC day. */
  readonly requestsPerDay?: number;
  readonly tokensPerMinute?: number;
  readonly concurrentCalls?: number;
}

export type RateName = keyof RateLimits;
export type RateScope = 'key' | 'project' | 'account';

/** Where a limit stands. */
export interface LimitReading {
  readonly scope: RateScope;
  readonly name: RateName;
  readonly limit: number;
  /** How much more would pass now. */
  readonly remaining: number;
  /** How long until the call passes, ms: 0 where it passes now. */
  readonly waitMs: number;
  /** How long until the limit is whole again, ms; null where nobody knows. */
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
