import type { AnswerSink } from './client.ts';

/** Takes an answer whole, up to a size; reports exactly one outcome. */
export class Gathering implements AnswerSink {
  readonly #bytesMax: number;
  readonly #outcome: GatheringOutcome;
  readonly #chunks: Buffer[] = [];
  #bytes = 0;
  #done = false;

  constructor(bytesMax: number, outcome: GatheringOutcome) {
    this.#bytesMax = bytesMax;
    this.#outcome = outcome;
  }

  chunk(bytes: Buffer): void {
    if (this.#done) return;
    this.#bytes += bytes.length;
    if (this.#bytes > this.#bytesMax) {
      this.#done = true;
      this.#chunks.length = 0;
      this.#outcome.tooLarge();
    } else {
      this.#chunks.push(bytes);
    }
  }

  end(): void {
    if (this.#done) return;
    this.#done = true;
    const only = this.#chunks.length === 1 ? this.#chunks[0] : undefined;
    this.#outcome.whole(only ?? Buffer.concat(this.#chunks, this.#bytes));
  }

  fail(error: unknown): void {
    if (this.#done) return;
    this.#done = true;
    this.#outcome.broken(error);
  }
}

export interface GatheringOutcome {
  whole(body: Buffer): void;
  tooLarge(): void;
  broken(error: unknown): void;
}
