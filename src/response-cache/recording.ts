/** The answer of a running call as its caller gets it, in case an equal request comes; those that came already may wait for it. */
import type { KeptAnswer } from './kept-answer.ts';

/** A longer answer is not kept. */
export const ANSWER_BYTES_MAX = 4 * 1024 * 1024;
const NO_BYTES = Buffer.alloc(0);
const CAPACITY_MIN = 4096;

export interface RecordingSpace {
  /** Takes memory; false if there is none left. */
  takes(bytes: number): boolean;
  gives(bytes: number): void;
  /** Called once. Null if nothing is kept. */
  ended(answer: KeptAnswer | null): void;
}

export class Recording {
  readonly #space: RecordingSpace;
  readonly #over = Promise.withResolvers<void>();
  #buffer = NO_BYTES;
  #filled = 0;
  #isFull = false;
  #isEnded = false;

  constructor(space: RecordingSpace) {
    this.#space = space;
  }

  /** Copies the bytes: they may be part of a buffer that all calls share. */
  add(bytes: Buffer): void {
    if (this.#isFull || this.#isEnded || bytes.length === 0) return;
    const needed = this.#filled + bytes.length;
    if (needed > this.#buffer.length && !this.#grow(needed)) return this.#giveUp();
    this.#buffer.set(bytes, this.#filled);
    this.#filled = needed;
  }

  /** All that was added; null if it was too much. */
  get bytes(): Buffer | null {
    // A copy of the right length: the buffer may be twice as large.
    return this.#isFull ? null : Buffer.from(this.#buffer.subarray(0, this.#filled));
  }

  /** The call has ended; with an answer to keep, or null. Only the first call counts. */
  end(answer: KeptAnswer | null): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#release();
    this.#space.ended(answer);
    this.#over.resolve();
  }

  /** Resolves when the call has ended, or it is known that there will be no answer to keep. */
  get over(): Promise<void> {
    return this.#over.promise;
  }

  #giveUp(): void {
    this.#isFull = true;
    this.#release();
    this.#over.resolve();
  }

  #grow(needed: number): boolean {
    const capacity = Math.min(ANSWER_BYTES_MAX, Math.max(needed, 2 * this.#buffer.length, CAPACITY_MIN));
    if (needed > ANSWER_BYTES_MAX || !this.#space.takes(capacity - this.#buffer.length)) return false;
    const larger = Buffer.allocUnsafeSlow(capacity);
    larger.set(this.#buffer.subarray(0, this.#filled));
    this.#buffer = larger;
    return true;
  }

  #release(): void {
    this.#space.gives(this.#buffer.length);
    this.#buffer = NO_BYTES;
    this.#filled = 0;
  }
}
