/**
 * Durations by number of bucket: each is a tenth longer than the one before, so that the middle of a bucket is off by
 * less than 5 % from whatever is in it, be it a millisecond or ten minutes.
 */
import type { FirstBytes } from '../../stats/ports.ts';

const GROWTH = 1.1;
const LOG_GROWTH = Math.log(GROWTH);
/** 10 µs, and half an hour. */
const FIRST = -48;
const LAST = 152;

/** Bucket n holds what is longer than 1.1^(n-1) ms and not longer than 1.1^n ms. */
export function bucketOf(ms: number): number {
  if (ms <= 0.01) return FIRST;
  return Math.min(LAST, Math.ceil(Math.log(ms) / LOG_GROWTH));
}

/** The duration, ms, that is off by the same share from both ends of a bucket. */
export function middleOf(bucket: number): number {
  const ms = (2 * GROWTH ** bucket) / (GROWTH + 1);
  return ms < 100 ? Math.round(ms * 100) / 100 : Math.round(ms);
}

/** Calls by bucket. */
export class LatencyBuckets {
  readonly #calls = new Map<number, number>();
  #total = 0;

  add(bucket: number, calls: number): void {
    this.#calls.set(bucket, (this.#calls.get(bucket) ?? 0) + calls);
    this.#total += calls;
  }

  percentiles(): FirstBytes {
    return { calls: this.#total, p50Ms: this.#at(0.5), p95Ms: this.#at(0.95) };
  }

  /** What so large a part of the calls does not exceed. */
  #at(part: number): number | null {
    const rank = Math.ceil(part * this.#total);
    let seen = 0;
    for (const [bucket, calls] of [...this.#calls].sort(([left], [right]) => left - right)) {
      seen += calls;
      if (seen >= rank) return middleOf(bucket);
    }
    return null;
  }
}
