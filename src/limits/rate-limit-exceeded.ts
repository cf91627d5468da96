/** Why a call is refused: which limit applies, when the call will pass, and what to do about it. */
import { GatewayError } from '../core/errors.ts';
import type { OverLimit } from './limiter.ts';
import { rateLimitHeaders } from './rate-limit-headers.ts';
import type { LimitReading, RateName, RateScope } from './rate-limits.ts';

/**
 * A 429 of the gateway itself, with the same headers as an admitted call's answer. It names the limit with the longest wait
 * of those that refuse.
 */
export class RateLimitExceeded extends GatewayError {
  /** Names and values in turn, as `writeHead` takes them. */
  readonly headers: readonly string[];

  constructor({ refused: readings, tokens, at }: OverLimit) {
    const binding = readings.reduce((longest, reading) => (reading.waitMs > longest.waitMs ? reading : longest));
    const retryAfterSeconds = secondsAfter(binding.waitMs);
    const resetsAt = binding.resetMs === null ? null : new Date(at + Math.ceil(binding.waitMs)).toISOString();
    super('rate_limit_exceeded', {
      message: messageOf(binding, tokens, retryAfterSeconds, resetsAt),
      retryAfterSeconds,
      facts: {
        binding: `${binding.scope}_${BINDING_NAMES[binding.name]}`,
        limit: binding.limit,
        remaining: binding.remaining,
        resets_at: resetsAt,
      },
    });
    this.headers = rateLimitHeaders(readings);
  }
}

/** The `x-ratelimit-*` headers of an error; none unless it is a 429 of the gateway itself. */
export function rateLimitHeadersOf(error: GatewayError): readonly string[] {
  return error instanceof RateLimitExceeded ? error.headers : NO_HEADERS;
}

const NO_HEADERS: readonly string[] = [];

const BINDING_NAMES: Readonly<Record<RateName, string>> = {
  requestsPerMinute: 'requests_per_minute',
  requestsPerDay: 'requests_per_day',
  tokensPerMinute: 'tokens_per_minute',
  concurrentCalls: 'concurrent_calls',
};

const SUBJECTS: Readonly<Record<RateScope, string>> = {
  key: 'This key',
  project: 'The project of this key',
  account: 'The account of this key',
};

/** Only the operator can set an account's limits. */
const RAISED_BY: Readonly<Record<RateScope, string>> = {
  key: 'an admin of the account',
  project: 'an admin of the account',
  account: 'the operator',
};

/** Whole seconds after which the wait is certainly over; at least 1. */
function secondsAfter(waitMs: number): number {
  return Math.floor((waitMs + 1) / 1000) + 1;
}

function messageOf(binding: LimitReading, tokens: number, seconds: number, resetsAt: string | null): string {
  const { name, limit, remaining } = binding;
  const subject = SUBJECTS[binding.scope];
  const again = `Try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}`;
  switch (name) {
    case 'requestsPerMinute':
      return `${subject} has reached its limit of ${limit} requests per minute. ${again}, and spread out your requests; ${RAISED_BY[binding.scope]} can raise the limit.`;
    case 'requestsPerDay':
      return `${subject} has reached its limit of ${limit} requests per day (UTC). Try again after ${resetsAt}; ${RAISED_BY[binding.scope]} can raise the limit.`;
    case 'tokensPerMinute':
      return `${subject} has a limit of ${limit} tokens per minute: ${remaining} are left, and this prompt is estimated at ${tokens}. ${again}, or send a shorter prompt; ${RAISED_BY[binding.scope]} can raise the limit.`;
    case 'concurrentCalls':
      return `${subject} has reached its limit of ${limit} concurrent calls. Try again when one of them has finished; ${RAISED_BY[binding.scope]} can raise the limit.`;
  }
}
