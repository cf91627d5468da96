/** Remembers signatures and encrypted thoughts of one answer, to recognise repetitions. */

/** How much is remembered, in characters: it bounds the memory of one answer. */
const REMEMBERED_LENGTH_MAX = 1024 * 1024;

export class KnownProofs {
  readonly #known = new Set<string>();
  #length = 0;

  /** Whether it was seen before; remembers it. */
  knows(proof: string): boolean {
    if (this.#known.has(proof)) return true;
    this.#length += proof.length;
    if (this.#length <= REMEMBERED_LENGTH_MAX) this.#known.add(proof);
    return false;
  }
}
