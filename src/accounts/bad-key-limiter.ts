/**
 * Limits how often an address may fail with well-formed keys. Only failures are counted, so a good key is never refused because of other
 * callers on its address. A flood of bad keys gets 429, which a client that ignores 401 may respect.
 */
import type { Clock } from '../core/clock.ts';
import { GatewayError } from '../core/errors.ts';
import { networkOf } from '../core/network.ts';
import type { UnknownKey } from './authenticate.ts';

export interface BadKeyRate {
  /** Failures allowed in a row after a pause. */
  readonly burst: number;
  /** Failures allowed per second after that. */
  readonly perSecond: number;
}

/** Addresses remembered. Beyond that, the address that failed least recently is forgotten. */
const ADDRESSES_MAX = 10_000;

export class BadKeyLimiter {
  readonly #rate: BadKeyRate;
  readonly #clock: Pick<Clock, 'monotonic'>;
  /** For each address, the monotonic time in ms at which its whole burst is available again; the most recent failure is last. */
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
   * The error for a caller whose key is not good: the failure itself, or 429 if its address has failed too often. All unknown addresses
   * (the socket has closed) count as one.
   */
  answer(failure: UnknownKey, address: string | null): GatewayError {
    const waitMs = this.#count(address === null ? '' : networkOf(address));
    if (waitMs === 0) return failure;
    return new GatewayError('rate_limit_exceeded', {
      message: 'Too many requests with invalid API keys from this IP address.',
      retryAfterSeconds: Math.ceil(waitMs / 1000),
    });
  }

  /** Counts one failure. Returns 0, or the ms to wait if it exceeds the rate; such failures are not counted. */
  #count(network: string): number {
    const nowMs = this.#clock.monotonic();
    const oneMs = 1000 / this.#rate.perSecond;
    const freeAt = Math.max(this.#freeAt.get(network) ?? 0, nowMs) + oneMs;
    const waitMs = freeAt - nowMs - this.#rate.burst * oneMs;
    // A rounding error in the sum of times is not a reason to refuse.
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
