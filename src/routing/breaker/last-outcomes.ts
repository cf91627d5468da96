/** How the last calls ended. Rates over a time would hide for long that what was well before fails now. */

/** So many are known. */
export const OUTCOMES = 20;
const GOOD = Number.NEGATIVE_INFINITY;

export class LastOutcomes {
  /** A ring: when each failed, or `GOOD`. */
  readonly #failedAt = new Float64Array(OUTCOMES).fill(GOOD);
  #count = 0;

  get isFull(): boolean {
    return this.#count >= OUTCOMES;
  }

  good(): void {
    this.#add(GOOD);
  }

  /** `nowMs` is monotonic. */
  failed(nowMs: number): void {
    this.#add(nowMs);
  }

  failedSince(ms: number): number {
    let failed = 0;
    for (const at of this.#failedAt) if (at > ms) failed += 1;
    return failed;
  }

  #add(at: number): void {
    this.#failedAt[this.#count % OUTCOMES] = at;
    this.#count += 1;
  }
}
