/**
 * Sums by the hour of days, kept until a call is added to them: most days that a report is about are over. Each call is
 * counted in its hour and in its day by the same transaction, and nothing is ever taken away, so that a day that has as
 * many calls as before has the same hours.
 */
import type { Cell } from './usage-sums.ts';

interface Kept {
  readonly calls: bigint;
  readonly cells: readonly Cell[];
}

/** Some 300 bytes each. */
const CELLS_MAX = 50_000;

export class KeptHours {
  /** The one that was asked for longest ago comes first. */
  readonly #kept = new Map<string, Kept>();
  readonly #cellsMax: number;
  #cells = 0;

  constructor(cellsMax = CELLS_MAX) {
    this.#cellsMax = cellsMax;
  }

  /**
   * Null where they have to be read. `question` is all that the cells depend on beside the calls; `calls` is how many the account
   * had in the day, as of the view from which the cells are read or before.
   */
  find(question: string, calls: bigint): readonly Cell[] | null {
    const kept = this.#kept.get(question);
    if (kept === undefined) return null;
    this.#kept.delete(question);
    if (kept.calls === calls) this.#kept.set(question, kept);
    else this.#cells -= roomOf(kept);
    return kept.calls === calls ? kept.cells : null;
  }

  keep(question: string, calls: bigint, cells: readonly Cell[]): void {
    const before = this.#kept.get(question);
    if (before !== undefined) this.#forget(question, before);
    const kept = { calls, cells };
    this.#kept.set(question, kept);
    this.#cells += roomOf(kept);
    for (const [oldest, each] of this.#kept) {
      if (this.#cells <= this.#cellsMax) break;
      this.#forget(oldest, each);
    }
  }

  #forget(question: string, kept: Kept): void {
    this.#kept.delete(question);
    this.#cells -= roomOf(kept);
  }
}

function roomOf({ cells }: Kept): number {
  return cells.length + 1;
}
