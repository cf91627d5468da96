/** Percentiles of the last 64 measurements: bounded memory, and one assignment per measurement. */
const KEPT = 64;

export class RecentSamples {
  readonly #values = new Float32Array(KEPT);
  #count = 0;

  add(value: number): void {
    this.#values[this.#count % KEPT] = value;
    this.#count += 1;
  }

  /** `share` is 0.5 for the median. Nearest-rank method; null before the first measurement. */
  percentile(share: number): number | null {
    const kept = Math.min(this.#count, KEPT);
    if (kept === 0) return null;
    const sorted = this.#values.slice(0, kept).sort();
    return sorted[Math.max(0, Math.ceil(share * kept) - 1)] as number;
  }
}
