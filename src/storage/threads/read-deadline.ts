/** The deadline of a question that a thread reads. */
import type { Clock } from '../../core/clock.ts';

/** A read runs and pauses alternately for these times, so that a call waits for only a short time. */
const RUN_MS = 0.5;
const PAUSE_MS = 0.3;

/** A read has passed its deadline. */
export class ReadTooLate extends Error {
  override readonly name = 'ReadTooLate';
}

/** The deadline of a read. */
export class ReadDeadline {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #pause: ((ms: number) => void) | null;
  #atMs = 0;
  #pauseAtMs = 0;

  /**
   * `pause` blocks the thread. With it, a read yields its core regularly: if calls share the core, the
   * scheduler would let a running thread keep it for some milliseconds, however low its priority.
   */
  constructor(clock: Pick<Clock, 'monotonic'>, pause: ((ms: number) => void) | null = null) {
    this.#clock = clock;
    this.#pause = pause;
  }

  set(budgetMs: number): void {
    const now = this.#clock.monotonic();
    this.#atMs = now + budgetMs;
    this.#pauseAtMs = now + RUN_MS;
  }

  /** The time left, ms. */
  get leftMs(): number {
    return this.#atMs - this.#clock.monotonic();
  }

  /** Monotonic, ms. */
  now(): number {
    return this.#clock.monotonic();
  }

  /** For searches that return what they found so far: the function returned says whether this time, or the deadline, has passed. */
  box(budgetMs: number): () => boolean {
    const clock = this.#clock;
    const endMs = Math.min(this.#atMs, clock.monotonic() + budgetMs);
    return () => clock.monotonic() >= endMs;
  }

  /** Throws `ReadTooLate`. */
  check(): void {
    const now = this.#clock.monotonic();
    if (now > this.#atMs) throw new ReadTooLate('the deadline of a read has passed');
    if (this.#pause === null || now < this.#pauseAtMs) return;
    this.#pause(PAUSE_MS);
    this.#pauseAtMs = this.#clock.monotonic() + RUN_MS;
  }
}
