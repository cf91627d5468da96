/** Attempts that this process has seen: bounded, and forgotten by a restart. */
import type { Clock } from '../core/clock.ts';
import type { AttemptCounts, AttemptRate, FailureRule } from './attempt-counts.ts';
import { TokenBuckets } from './token-buckets.ts';

const REMEMBERED_MAX = 10_000;

interface Failures {
  count: number;
  /** Monotonic ms. */
  lastAt: number;
  nextAt: number;
}

export class MemoryAttempts implements AttemptCounts {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #buckets = new Map<AttemptRate['kind'], TokenBuckets>();
  /** By subject; the most recent attempt is last. */
  readonly #failures = new Map<string, Failures>();

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  /** How many subjects have failures. */
  get size(): number {
    return this.#failures.size;
  }

  async take(rate: AttemptRate, name: string): Promise<number> {
    return this.#bucketsOf(rate).take(name);
  }

  async giveBack(rate: AttemptRate, name: string): Promise<void> {
    this.#bucketsOf(rate).giveBack(name);
  }

  async count(rule: FailureRule, subject: string): Promise<number> {
    const nowMs = this.#clock.monotonic();
    const before = this.#failures.get(subject);
    if (before !== undefined && nowMs < before.nextAt) return before.nextAt - nowMs;
    const known = before !== undefined && nowMs - before.lastAt < rule.forgottenMs ? before.count : 0;
    const count = known + 1;
    this.#failures.delete(subject);
    this.#failures.set(subject, { count, lastAt: nowMs, nextAt: nowMs + waitAfter(rule, count) });
    if (this.#failures.size > REMEMBERED_MAX) {
      const oldest = this.#failures.keys().next();
      if (oldest.done !== true) this.#failures.delete(oldest.value);
    }
    return 0;
  }

  async forget(subject: string): Promise<void> {
    this.#failures.delete(subject);
  }

  #bucketsOf(rate: AttemptRate): TokenBuckets {
    const buckets = this.#buckets.get(rate.kind) ?? new TokenBuckets(rate, this.#clock);
    this.#buckets.set(rate.kind, buckets);
    return buckets;
  }
}

function waitAfter({ free, firstWaitMs, waitMaxMs }: FailureRule, failures: number): number {
  if (failures < free) return 0;
  return Math.min(firstWaitMs * 2 ** Math.min(failures - free, 20), waitMaxMs);
}
