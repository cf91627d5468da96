/**
 * Counts of the last while, by kind, in slots of equal length. Counting is two additions; old counts are subtracted when the next slot
 * begins, so that a sum is read without adding up.
 */
export interface SlidingCountsShape {
  readonly slotMs: number;
  /** The counts are of the last `slots` × `slotMs`, less the part of the current slot that is yet to come. */
  readonly slots: number;
  readonly kinds: number;
}

export class SlidingCounts {
  readonly #shape: SlidingCountsShape;
  /** Counts of each kind, slot by slot; then the sums of all slots. */
  readonly #counts: Uint32Array;
  /** The current slot, numbered from the start of the clock. */
  #slot = 0;

  constructor(shape: SlidingCountsShape) {
    this.#shape = shape;
    this.#counts = new Uint32Array((shape.slots + 1) * shape.kinds);
  }

  /** `nowMs` is monotonic, and never less than before; `kind` is below `kinds`. */
  add(nowMs: number, kind: number): void {
    this.#advance(nowMs);
    const { slots, kinds } = this.#shape;
    this.#change((this.#slot % slots) * kinds + kind, 1);
    this.#change(slots * kinds + kind, 1);
  }

  sum(nowMs: number, kind: number): number {
    this.#advance(nowMs);
    const { slots, kinds } = this.#shape;
    return this.#counts[slots * kinds + kind] as number;
  }

  clear(): void {
    this.#counts.fill(0);
  }

  #advance(nowMs: number): void {
    const { slotMs, slots } = this.#shape;
    const slot = Math.floor(nowMs / slotMs);
    if (slot <= this.#slot) return;
    const oldest = Math.max(this.#slot + 1, slot - slots + 1);
    for (let next = oldest; next <= slot; next += 1) this.#empty(next % slots);
    this.#slot = slot;
  }

  #empty(slot: number): void {
    const { slots, kinds } = this.#shape;
    for (let kind = 0; kind < kinds; kind += 1) {
      const at = slot * kinds + kind;
      this.#change(slots * kinds + kind, -(this.#counts[at] as number));
      this.#counts[at] = 0;
    }
  }

  #change(at: number, by: number): void {
    this.#counts[at] = (this.#counts[at] as number) + by;
  }
}
