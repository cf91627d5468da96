/** A form in order: the fields before its file, the file, the rest. Or a file alone. */
import { END, type FormBody, type FormSource } from './form-body.ts';

/** Where the file comes from, and what is called as it gets further. */
export interface FileSource {
  /** As `FormSource.next`. */
  file(): Buffer | null | typeof END;
  /** Whether nothing is left of it. */
  isOver(): boolean;
  /** The last bytes are being sent. */
  sent(): void;
  closed(body: FormBody): void;
}

export class OrderedForm implements FormSource {
  readonly #head: Buffer[];
  readonly #tail: (() => readonly Buffer[]) | null;
  readonly #source: FileSource;
  #rest: Buffer[] | null = null;

  /** `tail`: asked when the file is over; null if nothing follows. */
  constructor(head: readonly Buffer[], tail: (() => readonly Buffer[]) | null, source: FileSource) {
    this.#head = [...head];
    this.#tail = tail;
    this.#source = source;
  }

  next(): Buffer | null | typeof END {
    const first = this.#head.shift();
    if (first !== undefined) return first;
    if (this.#rest === null) {
      const piece = this.#source.file();
      if (piece !== END) {
        // A provider that has all that was promised may answer before the end is asked for.
        if (this.#tail === null && this.#source.isOver()) this.#source.sent();
        return piece;
      }
      this.#rest = [...(this.#tail?.() ?? [])];
    }
    const last = this.#rest.shift();
    if (this.#rest.length === 0) this.#source.sent();
    return last ?? END;
  }

  closed(body: FormBody): void {
    this.#source.closed(body);
  }
}
