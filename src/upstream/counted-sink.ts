import type { AnswerSink } from './answer-sink.ts';

/** Passes an answer on, and says how many bytes of it have arrived. What `grown` throws ends the answer. */
export class CountedSink implements AnswerSink {
  readonly #sink: AnswerSink;
  readonly #grown: (bytes: number) => void;
  #bytes = 0;
  #isOver = false;

  constructor(sink: AnswerSink, grown: (bytes: number) => void) {
    this.#sink = sink;
    this.#grown = grown;
  }

  chunk(bytes: Buffer): void {
    if (this.#isOver) return;
    this.#bytes += bytes.length;
    try {
      this.#grown(this.#bytes);
    } catch (error) {
      this.#isOver = true;
      this.#sink.fail(error);
      return;
    }
    this.#sink.chunk(bytes);
  }

  end(): void {
    if (!this.#isOver) this.#sink.end();
  }

  fail(error: unknown): void {
    if (!this.#isOver) this.#sink.fail(error);
  }
}
