/** A form in order: the fields before its file, the file, the rest. */
import { END, type FormBody, type FormSource } from './form-body.ts';

/** Where the file comes from, and what is called as it gets further. */
export interface FileSource {
  /** As `FormSource.next`. */
  file(): Buffer | null | typeof END;
  /** The last bytes are being sent. */
  sent(): void;
  closed(body: FormBody): void;
}

export class OrderedForm implements FormSource {
  readonly #head: Buffer[];
  readonly #tail: () => readonly Buffer[];
  readonly #source: FileSource;
  #rest: Buffer[] | null = null;

  /** `tail`: asked when the file is over. */
  constructor(head: readonly Buffer[], tail: () => readonly Buffer[], source: FileSource) {
    this.#head = [...head];
    this.#tail = tail;
    this.#source = source;
  }

  next(): Buffer | null | typeof END {
    const first = this.#head.shift();
    if (first !== undefined) return first;
    if (this.#rest === null) {
      const piece = this.#source.file();
      if (piece !== END) return piece;
      this.#rest = [...this.#tail()];
    }
    const last = this.#rest.shift();
    if (this.#rest.length === 0) this.#source.sent();
    return last ?? END;
  }

  closed(body: FormBody): void {
    this.#source.closed(body);
  }
}
