/** Decides when long work should yield to the event loop, by how much was done, so that no text can delay calls. */

/** About a millisecond. */
const WORK_MAX = 10_000;

export class Breaks {
  #work = 0;

  /** Whether a break is due after `work` more, in tenths of a microsecond, roughly. */
  isDue(work: number): boolean {
    this.#work += work;
    if (this.#work < WORK_MAX) return false;
    this.#work = 0;
    return true;
  }
}
