/**
 * Goes back through a span of time slice by slice, each as long as makes it quick to read: what is looked for may be
 * rare, and a question that is out of time tells how far it came.
 */
import { dayStart } from '../../../core/calendar.ts';
import { type CallId, callIdTime, firstCallIdAt } from '../../../core/ids.ts';

/** Later than any call; ids have 48 bits of time. */
export const LATEST_MS = dayStart(3_000_000);

/** The end, ms and not included, of the time in which calls before this one came in. */
export function endBefore(id: CallId): number {
  const ms = callIdTime(id);
  return id === firstCallIdAt(ms) ? ms : ms + 1;
}

const FIRST_MS = 300_000;
const LEAST_MS = 1_000;
/** A slice that took less is followed by longer ones, one that took more by shorter ones. */
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
