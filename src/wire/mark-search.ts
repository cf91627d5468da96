/**
 * Finds a short text in bytes as they arrive, so that they need not all be searched in one turn of the event loop: if its first byte is
 * everywhere, a search of 32 MiB takes a tenth of a second.
 */
export class MarkSearch {
  readonly #mark: Buffer;
  readonly #max: number;
  readonly #found: number[] = [];
  #at = 0;

  /** Stops after `max` occurrences. */
  constructor(mark: Buffer, max: number) {
    this.#mark = mark;
    this.#max = max;
  }

  /** Where the occurrences begin, in order. */
  get found(): readonly number[] {
    return this.#found;
  }

  /** Searches on to `filled`. `bytes` may be another, larger buffer than last time that begins with the same bytes. */
  feed(bytes: Buffer, filled: number): void {
    const arrived = bytes.subarray(0, filled);
    let at = arrived.indexOf(this.#mark, this.#at);
    while (at !== -1 && this.#found.length < this.#max) {
      this.#found.push(at);
      at = arrived.indexOf(this.#mark, at + this.#mark.length);
    }
    // The beginning of the mark may have arrived.
    const last = this.#found.at(-1) ?? -this.#mark.length;
    this.#at = Math.max(filled - this.#mark.length + 1, last + this.#mark.length, 0);
    if (this.#found.length === this.#max) this.#at = Number.MAX_SAFE_INTEGER;
  }
}
