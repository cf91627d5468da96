/**
 * How many further attempts all calls of this process may make: a share of the calls, so that a failing provider is not asked many
 * times as often as usual when it can bear it least; and a few in any case, so that a quiet installation may retry.
 */
import type { Clock } from '../core/clock.ts';
import { SlidingCounts } from './sliding-counts.ts';

const WINDOW_MS = 10_000;
const SLOTS = 10;
const SHARE = 0.2;
const AT_LEAST = 3;
const CALLS = 0;
const RETRIES = 1;

export class RetryBudget {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #counts = new SlidingCounts({ slotMs: WINDOW_MS / SLOTS, slots: SLOTS, kinds: 2 });

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  /** A call makes its first attempt. */
  countCall(): void {
    this.#counts.add(this.#clock.monotonic(), CALLS);
  }

  /** Whether no call may make another attempt now. */
  isSpent(): boolean {
    const nowMs = this.#clock.monotonic();
    const allowed = Math.max(AT_LEAST, this.#counts.sum(nowMs, CALLS) * SHARE);
    return this.#counts.sum(nowMs, RETRIES) + 1 > allowed;
  }

  /** A call makes another attempt. */
  take(): void {
    this.#counts.add(this.#clock.monotonic(), RETRIES);
  }
}
