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

  /** `question` is all that the cells depend on beside the calls; `calls` is how many the account had in the day before `read` is called. */
  day(question: string, calls: bigint, read: () => readonly Cell[]): readonly Cell[] {
    const before = this.#kept.get(question);
    if (before !== undefined) this.#forget(question, before);
    const kept = before?.calls === calls ? before : { calls, cells: read() };
    this.#kept.set(question, kept);
    this.#cells += kept.cells.length + 1;
    for (const [oldest, each] of this.#kept) {
      if (this.#cells <= this.#cellsMax) break;
      this.#forget(oldest, each);
    }
    return kept.cells;
  }

  #forget(question: string, { cells }: Kept): void {
    this.#kept.delete(question);
    this.#cells -= cells.length + 1;
  }
}
