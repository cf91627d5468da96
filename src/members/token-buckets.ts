/** Token buckets for many names, in bounded memory: a burst, then one more every `everyMs`. */
import type { Clock } from '../core/clock.ts';

export interface BucketRate {
  readonly burst: number;
  readonly everyMs: number;
}

/** Names remembered. Beyond that, the one used least recently is forgotten. */
const NAMES_MAX = 10_000;

export class TokenBuckets {
  readonly #rate: BucketRate;
  readonly #clock: Pick<Clock, 'monotonic'>;
  /** For each name, the monotonic time in ms at which its whole burst is available again; the most recent is last. */
  readonly #freeAt = new Map<string, number>();

  constructor(rate: BucketRate, clock: Pick<Clock, 'monotonic'>) {
    this.#rate = rate;
    this.#clock = clock;
  }

  /** Takes one token and returns 0, or the ms to wait if there is none. */
  take(name: string): number {
    const { burst, everyMs } = this.#rate;
    const nowMs = this.#clock.monotonic();
    const freeAt = Math.max(this.#freeAt.get(name) ?? 0, nowMs) + everyMs;
    const waitMs = freeAt - nowMs - burst * everyMs;
    // A rounding error in the sum of times is not a reason to refuse.
    if (waitMs > 0.001) return waitMs;
    this.#freeAt.delete(name);
    this.#freeAt.set(name, freeAt);
    if (this.#freeAt.size > NAMES_MAX) this.#forgetOldest();
    return 0;
  }

  giveBack(name: string): void {
    const freeAt = this.#freeAt.get(name);
    if (freeAt === undefined) return;
    const before = freeAt - this.#rate.everyMs;
    if (before <= this.#clock.monotonic()) this.#freeAt.delete(name);
    else this.#freeAt.set(name, before);
  }

  #forgetOldest(): void {
    const oldest = this.#freeAt.keys().next();
    if (oldest.done !== true) this.#freeAt.delete(oldest.value);
  }
}
