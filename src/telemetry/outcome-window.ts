/**
 * The number of calls that succeeded, failed, or were rate limited in the last five minutes. Counting is two additions; old
 * counts are subtracted when the next time slot begins.
 */

export const WINDOW_MS = 300_000;
const SLOT_MS = 10_000;
const SLOTS = WINDOW_MS / SLOT_MS;

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
  /** Counts of each kind, slot by slot; then the sums of all slots. */
  readonly #counts = new Uint32Array((SLOTS + 1) * KINDS);
  /** The current time slot, numbered from the start of the clock. */
  #slot = 0;

  /** `nowMs` is monotonic, and never less than before. */
  add(nowMs: number, kind: OutcomeKind): void {
    this.#advance(nowMs);
    this.#count((this.#slot % SLOTS) * KINDS + kind, 1);
    this.#count(SLOTS * KINDS + kind, 1);
  }

  /** The sums of the last `spanMs`, with the precision of the ten-second slots. */
  sums(nowMs: number, spanMs: number = WINDOW_MS): OutcomeSums {
    this.#advance(nowMs);
    if (spanMs >= WINDOW_MS) return this.#read(SLOTS);
    const sums = { good: 0, failed: 0, limited: 0 };
    for (let back = 0; back < Math.min(Math.ceil(spanMs / SLOT_MS), this.#slot + 1); back += 1) {
      const { good, failed, limited } = this.#read((this.#slot - back) % SLOTS);
      sums.good += good;
      sums.failed += failed;
      sums.limited += limited;
    }
    return sums;
  }

  forget(kind: OutcomeKind): void {
    for (let slot = 0; slot <= SLOTS; slot += 1) this.#counts[slot * KINDS + kind] = 0;
  }

  #read(slot: number): OutcomeSums {
    const at = slot * KINDS;
    const [good = 0, failed = 0, limited = 0] = this.#counts.subarray(at, at + KINDS);
    return { good, failed, limited };
  }

  #advance(nowMs: number): void {
    const slot = Math.floor(nowMs / SLOT_MS);
    if (slot <= this.#slot) return;
    const oldest = Math.max(this.#slot + 1, slot - SLOTS + 1);
    for (let next = oldest; next <= slot; next += 1) this.#empty(next % SLOTS);
    this.#slot = slot;
  }

  #empty(slot: number): void {
    for (let kind = 0; kind < KINDS; kind += 1) {
      const at = slot * KINDS + kind;
      this.#count(SLOTS * KINDS + kind, -(this.#counts[at] as number));
      this.#counts[at] = 0;
    }
  }

  #count(at: number, change: number): void {
    this.#counts[at] = (this.#counts[at] as number) + change;
  }
}
