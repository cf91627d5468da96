/**
 * Durations by number of bucket: each is 2.4 % longer than the one before, so that the middle of a bucket is off by less
 * than 1.3 % from whatever is in it, be it a millisecond or ten minutes. Files of before have buckets four times as wide,
 * whose middles are off by 5 %; both are added up, call by call, each at the middle of its own.
 */
import type { FirstBytes } from '../../../stats/ports.ts';

const LOG_WIDE = Math.log(1.1);
/** Parts of a wide bucket, each as much longer than the one before. */
const PARTS = 4;
/** 10 µs, and half an hour. */
const FIRST = -48 * PARTS;
const LAST = 152 * PARTS;
/** Wide buckets have numbers from -48 to 152; the others begin here, so that both can stand in one file. */
const NUMBERS_FROM = 1_000;
/** Of all that `bucketOf` gives. */
export const BUCKETS = { first: NUMBERS_FROM + FIRST, count: LAST - FIRST + 1 } as const;

/** The bucket with number 1000 + n holds what is longer than 1.1^((n-1)/4) ms and not longer than 1.1^(n/4) ms. */
export function bucketOf(ms: number): number {
  if (ms <= 0.01) return BUCKETS.first;
  return NUMBERS_FROM + Math.max(FIRST, Math.min(LAST, Math.ceil((Math.log(ms) / LOG_WIDE) * PARTS)));
}

/** Where the middle of a bucket is, by the logarithm: in half parts, which are whole numbers for wide ones too. */
function middleOf(bucket: number): number {
  return bucket < NUMBERS_FROM + FIRST ? (2 * bucket - 1) * PARTS : 2 * (bucket - NUMBERS_FROM) - 1;
}

/** Ms, of a place as `middleOf` gives it. */
function durationAt(place: number): number {
  const ms = Math.exp((place * LOG_WIDE) / (2 * PARTS));
  const digits = ms < 100 ? 100 : ms < 1_000 ? 10 : 1;
  return Math.round(ms * digits) / digits;
}

/** Calls by bucket. */
export class LatencyBuckets {
  /** By the middles of their buckets. */
  readonly #calls = new Map<number, number>();
  #total = 0;

  add(bucket: number, calls: number): void {
    const place = middleOf(bucket);
    this.#calls.set(place, (this.#calls.get(place) ?? 0) + calls);
    this.#total += calls;
  }

  percentiles(): FirstBytes {
    const places = [...this.#calls].sort(([left], [right]) => left - right);
    return { calls: this.#total, p50Ms: this.#at(places, 0.5), p95Ms: this.#at(places, 0.95) };
  }

  /** What so large a part of the calls does not exceed. */
  #at(places: readonly (readonly [number, number])[], part: number): number | null {
    const rank = Math.ceil(part * this.#total);
    let seen = 0;
    for (const [place, calls] of places) {
      seen += calls;
      if (seen >= rank) return durationAt(place);
    }
    return null;
  }
}
