/** Says when long work is to let others have their turn, by how much was done: no text keeps calls waiting, whoever wrote it. */

/** About a millisecond. */
const WORK_MAX = 10_000;

export class Breaks {
  #work = 0;

  /** Whether a break is due after so much more work, in tenths of a microsecond, about. */
  isDue(work: number): boolean {
    this.#work += work;
    if (this.#work < WORK_MAX) return false;
    this.#work = 0;
    return true;
  }
}
