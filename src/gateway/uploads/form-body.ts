/** The body of one attempt: what was held, then what arrives, and no faster than the provider takes it. */
import { Readable } from 'node:stream';

/** What it sends. */
export interface FormSource {
  /** The next piece; null if it has to arrive first, `END` after the last one. */
  next(): Buffer | null | typeof END;
  /** The body is no longer read. */
  closed(body: FormBody): void;
}

/** What a source calls as it gets further. */
export interface BodyEnds {
  /** The last bytes are being sent. */
  sent(): void;
  closed(body: FormBody): void;
}

export const END = Symbol('the end of a body');

/** Bytes written in one turn of the event loop: the operating system would accept megabytes, and copying them would keep others waiting. */
const TURN_BYTES = 128 * 1024;

export class FormBody extends Readable {
  readonly #source: FormSource;
  #isWanted = false;
  #turnBytes = 0;
  #nextTurn: NodeJS.Immediate | null = null;

  constructor(source: FormSource) {
    super();
    this.#source = source;
  }

  /** Whether the provider takes more than there is. */
  get isWaiting(): boolean {
    return this.#isWanted && this.#nextTurn === null;
  }

  override _read(): void {
    this.#isWanted = true;
    this.pump();
  }

  /** To be called when more has arrived. */
  pump(): void {
    while (this.#isWanted && this.#nextTurn === null) {
      if (this.#turnBytes >= TURN_BYTES) return this.#waitForTurn();
      const piece = this.#source.next();
      if (piece === null) return;
      if (piece === END) {
        this.#isWanted = false;
        this.push(null);
        return;
      }
      this.#turnBytes += piece.length;
      this.#isWanted = this.push(piece);
    }
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    if (this.#nextTurn !== null) clearImmediate(this.#nextTurn);
    this.#nextTurn = null;
    this.#isWanted = false;
    this.#source.closed(this);
    done(error);
  }

  #waitForTurn(): void {
    this.#nextTurn = setImmediate(() => {
      this.#nextTurn = null;
      this.#turnBytes = 0;
      this.pump();
    });
  }
}
