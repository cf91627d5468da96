/**
 * How often an address may fail with keys of the right shape. It is asked about failures alone, so
 * that a good key is never refused for what its neighbours do; and a flood of bad keys is told to
 * wait, which a client that does not hear a 401 may hear.
 */
import type { Clock } from '../core/clock.ts';
import { GatewayError } from '../core/errors.ts';
import { networkOf } from '../core/network.ts';
import type { UnknownKey } from './authenticate.ts';

export interface BadKeyRate {
  /** Failures at once, after a while without any. */
  readonly burst: number;
  /** How many more each second. */
  readonly perSecond: number;
}

/** Addresses remembered. Where more than these fail, the one that has not failed for longest starts anew. */
const ADDRESSES_MAX = 10_000;

export class BadKeyLimiter {
  readonly #rate: BadKeyRate;
  readonly #clock: Pick<Clock, 'monotonic'>;
  /** Per address the moment, monotonic ms, at which its whole burst is free again; the latest to fail stands last. */
  readonly #freeAt = new Map<string, number>();

  constructor(rate: BadKeyRate, clock: Pick<Clock, 'monotonic'>) {
    this.#rate = rate;
    this.#clock = clock;
  }

  /** Number of addresses remembered. */
  get size(): number {
    return this.#freeAt.size;
  }

  /**
   * What a caller hears whose key is not good: the failure itself, or 429 when its address has
   * failed too often. An address that is not known (the socket has closed) counts as one.
   */
  answer(failure: UnknownKey, address: string | null): GatewayError {
    const waitMs = this.#count(address === null ? '' : networkOf(address));
    if (waitMs === 0) return failure;
    return new GatewayError('rate_limit_exceeded', {
      message: 'Too many requests with API keys that are not valid here came from this address.',
      retryAfterSeconds: Math.ceil(waitMs / 1000),
    });
  }

  /** Takes one failure; how many ms are missing for it, or 0. Those over the rate are not counted. */
  #count(network: string): number {
    const nowMs = this.#clock.monotonic();
    const oneMs = 1000 / this.#rate.perSecond;
    const freeAt = Math.max(this.#freeAt.get(network) ?? 0, nowMs) + oneMs;
    const waitMs = freeAt - nowMs - this.#rate.burst * oneMs;
    // A fraction lost in the sum of times is no reason to refuse.
    if (waitMs > 0.001) return waitMs;
    this.#freeAt.delete(network);
    this.#freeAt.set(network, freeAt);
    if (this.#freeAt.size > ADDRESSES_MAX) this.#forgetOldest();
    return 0;
  }

  #forgetOldest(): void {
    const oldest = this.#freeAt.keys().next();
    if (oldest.done !== true) this.#freeAt.delete(oldest.value);
  }
}
