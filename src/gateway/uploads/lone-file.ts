/** The one file of a form, without the form: for a provider whose request is the file. */
import { type BodyEnds, END, type FormBody, type FormSource } from './form-body.ts';
import { FILE_END } from './held-pieces.ts';

export interface LoneFileSource extends BodyEnds {
  /** The next bytes; null if they have to arrive first, `FILE_END` after the last ones. */
  bytes(): Buffer | null | typeof FILE_END;
  /** Whether all of the form has arrived: what follows the file may forbid to send all of it. */
  isComplete(): boolean;
  /** Whether none of the bytes that have arrived is left to send. */
  isSent(): boolean;
}

export class LoneFile implements FormSource {
  readonly #source: LoneFileSource;
  #isOver = false;

  constructor(source: LoneFileSource) {
    this.#source = source;
  }

  next(): Buffer | null | typeof END {
    if (!this.#isOver) {
      const piece = this.#source.bytes();
      // A provider that has all that was promised may answer before the end is asked for.
      if (this.#source.isComplete() && this.#source.isSent()) this.#source.sent();
      if (piece !== FILE_END) return piece;
      this.#isOver = true;
    }
    if (!this.#source.isComplete()) return null;
    this.#source.sent();
    return END;
  }

  closed(body: FormBody): void {
    this.#source.closed(body);
  }
}
