/** Something that is done again and again: one round at a time, the next one a while after it has ended. */
import type { Clock, Timer } from '../../core/clock.ts';

export interface RoundsParts {
  readonly clock: Pick<Clock, 'after'>;
  /** One round; must not reject. */
  readonly run: () => Promise<void>;
  /** From the end of a round to the next one, ms; asked each time. */
  readonly periodMs: () => number;
}

export class Rounds {
  readonly #parts: RoundsParts;
  #timer: Timer | null = null;
  #running: Promise<void> | null = null;
  #isClosed = false;

  constructor(parts: RoundsParts) {
    this.#parts = parts;
  }

  /** The first round begins after a period. */
  start(): void {
    if (this.#isClosed) return;
    const { clock, periodMs } = this.#parts;
    this.#timer = clock.after(periodMs(), () => {
      void this.next().then(() => this.start());
    });
  }

  /** A round now, or the one under way. */
  next(): Promise<void> {
    this.#running ??= this.#parts.run().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  /** Resolves when no round runs; none begins by itself afterwards. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#timer?.cancel();
    await this.#running;
  }
}
