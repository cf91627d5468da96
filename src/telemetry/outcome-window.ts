/**
 * The number of calls that succeeded, failed, or were rate limited lately: in the last five minutes, if nothing else is asked for. Counting is
 * two additions; old counts are subtracted when the next time slot begins.
 */

export const WINDOW_MS = 300_000;
const SLOT_MS = 10_000;

export const GOOD = 0;
export const FAILED = 1;
export const LIMITED = 2;
const KINDS = 3;
export type OutcomeKind = typeof GOOD | typeof FAILED | typeof LIMITED;

export interface OutcomeSums {
  readonly good: number;
  readonly failed: number;
  readonly limited: number;
}

export class OutcomeWindow {
  readonly #slotMs: number;
  readonly #slots: number;
  /** Counts of each kind, slot by slot; then the sums of all slots. */
  readonly #counts: Uint32Array;
  /** The current time slot, numbered from the start of the clock. */
  #slot = 0;

  /** `windowMs` is a multiple of `slotMs`, which is how exact it is. */
  constructor(windowMs: number = WINDOW_MS, slotMs: number = SLOT_MS) {
    this.#slotMs = slotMs;
    this.#slots = windowMs / slotMs;
    this.#counts = new Uint32Array((this.#slots + 1) * KINDS);
  }

  /** `nowMs` is monotonic, and never less than before. */
  add(nowMs: number, kind: OutcomeKind): void {
    this.#advance(nowMs);
    this.#count((this.#slot % this.#slots) * KINDS + kind, 1);
    this.#count(this.#slots * KINDS + kind, 1);
  }

  /** The sums of the last `spanMs`, all of the window if absent, with the precision of its slots. */
  sums(nowMs: number, spanMs: number = Number.POSITIVE_INFINITY): OutcomeSums {
    this.#advance(nowMs);
    if (spanMs >= this.#slots * this.#slotMs) return this.#read(this.#slots);
    const sums = { good: 0, failed: 0, limited: 0 };
    for (let back = 0; back < Math.min(Math.ceil(spanMs / this.#slotMs), this.#slot + 1); back += 1) {
      const { good, failed, limited } = this.#read((this.#slot - back) % this.#slots);
      sums.good += good;
      sums.failed += failed;
      sums.limited += limited;
    }
    return sums;
  }

  forget(kind: OutcomeKind): void {
    for (let slot = 0; slot <= this.#slots; slot += 1) this.#counts[slot * KINDS + kind] = 0;
  }

  #read(slot: number): OutcomeSums {
    const at = slot * KINDS;
    const [good = 0, failed = 0, limited = 0] = this.#counts.subarray(at, at + KINDS);
    return { good, failed, limited };
  }

  #advance(nowMs: number): void {
    const slot = Math.floor(nowMs / this.#slotMs);
    if (slot <= this.#slot) return;
    const oldest = Math.max(this.#slot + 1, slot - this.#slots + 1);
    for (let next = oldest; next <= slot; next += 1) this.#empty(next % this.#slots);
    this.#slot = slot;
  }

  #empty(slot: number): void {
    for (let kind = 0; kind < KINDS; kind += 1) {
      const at = slot * KINDS + kind;
      this.#count(this.#slots * KINDS + kind, -(this.#counts[at] as number));
      this.#counts[at] = 0;
    }
  }

  #count(at: number, change: number): void {
    this.#counts[at] = (this.#counts[at] as number) + change;
  }
}
