/**
 * Buckets of durations: each is 2.4 % longer than the one before, so that the middle of a bucket differs by less
 * than 1.3 % from every duration in it, be it a millisecond or ten minutes. Files of earlier versions have buckets four times as wide,
 * whose middles differ by up to 5 %; both are added up, each call counted at the middle of its bucket.
 */
import type { FirstBytes } from '../../../stats/ports.ts';

const LOG_WIDE = Math.log(1.1);
/** Parts of a wide bucket, equal on a logarithmic scale. */
const PARTS = 4;
/** 10 µs, and half an hour. */
const FIRST = -48 * PARTS;
const LAST = 152 * PARTS;
/** Wide buckets have numbers from -48 to 152; the others begin here, so that both can be in one file. */
const NUMBERS_FROM = 1_000;
/** The range of bucket numbers that `bucketOf` returns. */
export const BUCKETS = { first: NUMBERS_FROM + FIRST, count: LAST - FIRST + 1 } as const;

/** Bucket 1000 + n contains durations longer than 1.1^((n-1)/4) ms and at most 1.1^(n/4) ms. */
export function bucketOf(ms: number): number {
  if (ms <= 0.01) return BUCKETS.first;
  return NUMBERS_FROM + Math.max(FIRST, Math.min(LAST, Math.ceil((Math.log(ms) / LOG_WIDE) * PARTS)));
}

/** The middle of a bucket on the logarithmic scale, in half parts, which are whole numbers for wide buckets too. */
function middleOf(bucket: number): number {
  return bucket < NUMBERS_FROM + FIRST ? (2 * bucket - 1) * PARTS : 2 * (bucket - NUMBERS_FROM) - 1;
}

/** The duration, ms, of a position returned by `middleOf`. */
function durationAt(position: number): number {
  const ms = Math.exp((position * LOG_WIDE) / (2 * PARTS));
  const digits = ms < 100 ? 100 : ms < 1_000 ? 10 : 1;
  return Math.round(ms * digits) / digits;
}

/** Calls by bucket. */
export class LatencyBuckets {
  /** By the middles of their buckets. */
  readonly #calls = new Map<number, number>();
  #total = 0;

  add(bucket: number, calls: number): void {
    const position = middleOf(bucket);
    this.#calls.set(position, (this.#calls.get(position) ?? 0) + calls);
    this.#total += calls;
  }

  percentiles(): FirstBytes {
    const positions = [...this.#calls].sort(([left], [right]) => left - right);
    return { calls: this.#total, p50Ms: this.#at(positions, 0.5), p95Ms: this.#at(positions, 0.95) };
  }

  /** The duration that `part` of the calls does not exceed. */
  #at(positions: readonly (readonly [number, number])[], part: number): number | null {
    const rank = Math.ceil(part * this.#total);
    let seen = 0;
    for (const [position, calls] of positions) {
      seen += calls;
      if (seen >= rank) return durationAt(position);
    }
    return null;
  }
}
