/**
 * Walks back through a time range in slices that adapt to be quick to read: matches may be
 * rare, and a query that runs out of time reports how far it got.
 */
import { dayStart } from '../../../core/calendar.ts';
import { type CallId, callIdTime, firstCallIdAt } from '../../../core/ids.ts';

/** Later than any call; ids contain 48 bits of time. */
export const LATEST_MS = dayStart(3_000_000);

/** The end (ms, not included) of the time range of calls before this one. */
export function endBefore(id: CallId): number {
  const ms = callIdTime(id);
  return id === firstCallIdAt(ms) ? ms : ms + 1;
}

const FIRST_MS = 300_000;
const LEAST_MS = 1_000;
/** Slices that take less are followed by longer ones, slices that take more by shorter ones. */
const QUICK_MS = 5;
const SLOW_MS = 20;

export class TimeSlices {
  readonly #now: () => number;
  #sliceMs = FIRST_MS;

  /** `now` is monotonic, ms. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** From `toMs`, which is not included, down to `fromMs`. */
  *back(fromMs: number, toMs: number): Generator<{ readonly fromMs: number; readonly toMs: number }> {
    for (let end = toMs; end > fromMs; ) {
      const start = Math.max(fromMs, end - this.#sliceMs);
      const begunAt = this.#now();
      yield { fromMs: start, toMs: end };
      const tookMs = this.#now() - begunAt;
      if (tookMs < QUICK_MS) this.#sliceMs *= 2;
      else if (tookMs > SLOW_MS) this.#sliceMs = Math.max(LEAST_MS, this.#sliceMs / 4);
      end = start;
    }
  }
}
