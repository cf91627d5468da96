/** A rate for each of many names, in bounded memory: a burst, then one more every so often. */
import type { Clock } from '../core/clock.ts';

export interface BucketRate {
  readonly burst: number;
  readonly everyMs: number;
}

/** Where more names than these are busy, the one that was not for longest starts anew. */
const NAMES_MAX = 10_000;

export class TokenBuckets {
  readonly #rate: BucketRate;
  readonly #clock: Pick<Clock, 'monotonic'>;
  /** Per name the moment, monotonic ms, at which its whole burst is free again; the latest stands last. */
  readonly #freeAt = new Map<string, number>();

  constructor(rate: BucketRate, clock: Pick<Clock, 'monotonic'>) {
    this.#rate = rate;
    this.#clock = clock;
  }

  /** Takes one; how many ms are missing for it, or 0. What is refused is not taken. */
  take(name: string): number {
    const { burst, everyMs } = this.#rate;
    const nowMs = this.#clock.monotonic();
    const freeAt = Math.max(this.#freeAt.get(name) ?? 0, nowMs) + everyMs;
    const waitMs = freeAt - nowMs - burst * everyMs;
    // A fraction lost in the sum of times is no reason to refuse.
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
