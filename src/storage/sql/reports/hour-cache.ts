/**
 * A cache of hourly sums by day, valid until a call is added to the day: most days of a report are over. Each call is
 * counted in its hour and in its day by the same transaction, and nothing is ever subtracted, so a day with
 * the same number of calls has the same hours.
 */
import type { Cell } from './usage-sums.ts';

interface Kept {
  readonly calls: bigint;
  readonly cells: readonly Cell[];
}

/** About 300 bytes each. */
const CELLS_MAX = 50_000;

export class HourCache {
  /** Least recently used first. */
  readonly #kept = new Map<string, Kept>();
  readonly #cellsMax: number;
  #cells = 0;

  constructor(cellsMax = CELLS_MAX) {
    this.#cellsMax = cellsMax;
  }

  /**
   * Null if they must be read. `question` is everything that the cells depend on, except the calls; `calls` is the number of the
   * account's calls on the day, as of the snapshot from which the cells are read, or an earlier one.
   */
  find(question: string, calls: bigint): readonly Cell[] | null {
    const kept = this.#kept.get(question);
    if (kept === undefined) return null;
    this.#kept.delete(question);
    if (kept.calls === calls) this.#kept.set(question, kept);
    else this.#cells -= sizeOf(kept);
    return kept.calls === calls ? kept.cells : null;
  }

  keep(question: string, calls: bigint, cells: readonly Cell[]): void {
    const before = this.#kept.get(question);
    if (before !== undefined) this.#forget(question, before);
    const kept = { calls, cells };
    this.#kept.set(question, kept);
    this.#cells += sizeOf(kept);
    for (const [oldest, each] of this.#kept) {
      if (this.#cells <= this.#cellsMax) break;
      this.#forget(oldest, each);
    }
  }

  #forget(question: string, kept: Kept): void {
    this.#kept.delete(question);
    this.#cells -= sizeOf(kept);
  }
}

function sizeOf({ cells }: Kept): number {
  return cells.length + 1;
}
