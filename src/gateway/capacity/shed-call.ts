/** The refusal of a call that the gateway has no room for: 503 `overloaded`, before anything was held. */
import { GatewayError } from '../../core/errors.ts';
import type { FullShare } from '../../core/fair-shares.ts';
import type { Shortage } from './load-guard.ts';

const RETRY_AFTER_SECONDS: Readonly<Record<Shortage, number>> = {
  in_flight: 1,
  arriving: 1,
  loop_delay: 2,
  memory: 2,
  descriptors: 2,
};

const LACKS: Readonly<Record<Shortage, string>> = {
  in_flight: 'The gateway is at its limit of concurrent calls',
  arriving: 'Too many requests are arriving at once',
  loop_delay: 'The gateway has more to do than it can',
  memory: 'The gateway has nearly used up its memory',
  descriptors: 'The gateway has too many connections open',
};

const HOLDERS: Readonly<Record<FullShare, string>> = {
  key: ', and this key has its share',
  account: ', and this account has its share',
  installation: '',
};

/** The option that an operator may raise. */
const LIMITS: Readonly<Partial<Record<Shortage, string>>> = {
  in_flight: 'limits.inFlightMax',
  arriving: 'limits.inFlightMax',
  loop_delay: 'limits.loopDelayMs',
};

/** One for each shortage and whose share is used up: it contains nothing about the call, and a flood of refusals must be cheap. */
export function shedCall(shortage: Shortage, binding: FullShare): ShedCall {
  const name = `${shortage} ${binding}`;
  const known = made.get(name);
  if (known !== undefined) return known;
  const error = new ShedCall(shortage, binding);
  made.set(name, error);
  return error;
}

const made = new Map<string, ShedCall>();

/** Its connection may be used again: other than by a body without memory, nothing of what was sent is kept. */
export class ShedCall extends GatewayError {
  readonly shortage: Shortage;

  constructor(shortage: Shortage, binding: FullShare) {
    super('overloaded', {
      message: `${LACKS[shortage]}${HOLDERS[binding]}. Try again shortly.`,
      retryAfterSeconds: RETRY_AFTER_SECONDS[shortage],
      facts: { shortage, binding, ...(LIMITS[shortage] !== undefined && { limit: LIMITS[shortage] }) },
    });
    this.shortage = shortage;
  }
}
