/** Signatures and encrypted thoughts of one answer, to tell what is new from what a provider repeats. */

/** What is remembered, in characters: an answer may not make us keep more. */
const REMEMBERED_LENGTH_MAX = 1024 * 1024;

export class KnownProofs {
  readonly #known = new Set<string>();
  #length = 0;

  /** Whether it has been here before; from now on it has. */
  knows(proof: string): boolean {
    if (this.#known.has(proof)) return true;
    this.#length += proof.length;
    if (this.#length <= REMEMBERED_LENGTH_MAX) this.#known.add(proof);
    return false;
  }
}
