import type { AnswerSink } from './answer-sink.ts';

/** The rest of the answer is not read. */
export class AnswerTooLarge extends Error {
  override readonly name = 'AnswerTooLarge';
  readonly bytesMax: number;

  constructor(bytesMax: number) {
    super(`the answer is larger than ${bytesMax} bytes`);
    this.bytesMax = bytesMax;
  }
}

const NO_BYTES = Buffer.alloc(0);

/** Collects a whole answer up to a maximum size; reports exactly one outcome. */
export class BodyCollector implements AnswerSink {
  readonly #bytesMax: number;
  readonly #outcome: CollectedBody;
  /** Nearly every answer is one chunk. */
  #first: Buffer | null = null;
  #others: Buffer[] | null = null;
  #bytes = 0;
  #done = false;

  constructor(bytesMax: number, outcome: CollectedBody) {
    this.#bytesMax = bytesMax;
    this.#outcome = outcome;
  }

  chunk(bytes: Buffer): void {
    if (this.#done) return;
    this.#bytes += bytes.length;
    if (this.#bytes > this.#bytesMax) {
      this.#done = true;
      this.#first = this.#others = null;
      this.#outcome.tooLarge();
    } else if (this.#first === null) {
      this.#first = bytes;
    } else {
      this.#others ??= [];
      this.#others.push(bytes);
    }
  }

  end(): void {
    if (this.#done) return;
    this.#done = true;
    const first = this.#first ?? NO_BYTES;
    this.#outcome.whole(this.#others === null ? first : Buffer.concat([first, ...this.#others], this.#bytes));
  }

  fail(error: unknown): void {
    if (this.#done) return;
    this.#done = true;
    this.#outcome.broken(error);
  }
}

export interface CollectedBody {
  whole(body: Buffer): void;
  tooLarge(): void;
  broken(error: unknown): void;
}
