/**
 * Slots that many owners share. An owner may take at most half of those that the others leave free, so that one owner,
 * however many it asks for, never takes the last slot.
 */
export class FairSlots {
  readonly #size: number;
  readonly #ofOneMax: number;
  readonly #taken = new Map<unknown, number>();
  #all = 0;

  /** `ofOneMax` is an additional limit: how many slots one owner may have. */
  constructor(size: number, ofOneMax: number = size) {
    this.#size = size;
    this.#ofOneMax = ofOneMax;
  }

  get taken(): number {
    return this.#all;
  }

  /** Returns a function that releases the slot (later calls do nothing); null if the owner has its share or no slot is left. */
  take(owner: unknown): (() => void) | null {
    const own = this.#taken.get(owner) ?? 0;
    const freeOfOthers = this.#size - (this.#all - own);
    if (own >= this.#ofOneMax || own >= Math.ceil(freeOfOthers / 2) || this.#all >= this.#size) return null;
    this.#taken.set(owner, own + 1);
    this.#all += 1;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#leave(owner);
    };
  }

  #leave(owner: unknown): void {
    this.#all -= 1;
    const left = (this.#taken.get(owner) ?? 1) - 1;
    if (left === 0) this.#taken.delete(owner);
    else this.#taken.set(owner, left);
  }
}
