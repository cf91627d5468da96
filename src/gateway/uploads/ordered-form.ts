/** A form in order: the fields before its first file, the files, the other fields. */
import { LINE_BREAK } from '../../wire/multipart/form-writer.ts';
import { type BodyEnds, END, type FormBody, type FormSource } from './form-body.ts';
import { FILE_END } from './held-pieces.ts';

/** Where the files come from. */
export interface FileSource extends BodyEnds {
  /** What comes before the bytes of a file; null if it has to arrive first, `END` if there is no further file. */
  head(index: number): Buffer | null | typeof END;
  /** The next bytes of the file; null if they have to arrive first, `FILE_END` after the last ones. */
  bytes(): Buffer | null | typeof FILE_END;
}

export class OrderedForm implements FormSource {
  readonly #head: Buffer[];
  readonly #tail: () => readonly Buffer[];
  readonly #source: FileSource;
  /** How many files were begun. */
  #files = 0;
  #isInFile = false;
  #rest: Buffer[] | null = null;

  /** `tail`: asked when all files are over. */
  constructor(head: readonly Buffer[], tail: () => readonly Buffer[], source: FileSource) {
    this.#head = [...head];
    this.#tail = tail;
    this.#source = source;
  }

  next(): Buffer | null | typeof END {
    const first = this.#head.shift();
    if (first !== undefined) return first;
    if (this.#rest === null) {
      const piece = this.#isInFile ? this.#bytesOfFile() : this.#beginFile();
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

  #bytesOfFile(): Buffer | null {
    const piece = this.#source.bytes();
    if (piece !== FILE_END) return piece;
    this.#isInFile = false;
    return LINE_BREAK;
  }

  #beginFile(): Buffer | null | typeof END {
    const head = this.#source.head(this.#files);
    if (head === null || head === END) return head;
    this.#files += 1;
    this.#isInFile = true;
    return head;
  }
}
