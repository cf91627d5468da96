/**
 * Lets everything that waits check a few times a second whether its time is up. One sweep over plain numbers is cheaper than
 * resetting a timer for every chunk of every stream. While nothing waits there is no timer, so an idle server sleeps.
 */
import type { Clock, Timer } from '../core/clock.ts';
import { DenseSet, type Indexed } from '../core/dense-set.ts';

export interface Watched extends Indexed {
  /** `nowMs` is monotonic. May remove itself from the watch. */
  check(nowMs: number): void;
}

const SWEEP_EVERY_MS = 250;

export class Watch {
  readonly #watched = new DenseSet<Watched>();
  readonly #clock: Clock;
  #timer: Timer | null = null;
  #isClosed = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(watched: Watched): void {
    this.#watched.add(watched);
    if (this.#timer === null && !this.#isClosed) this.#timer = this.#clock.every(SWEEP_EVERY_MS, () => this.#sweep());
  }

  delete(watched: Watched): void {
    this.#watched.delete(watched);
  }

  close(): void {
    this.#isClosed = true;
    this.#rest();
  }

  /** Stops the timer one sweep after the last has left, so that consecutive calls share it. */
  #sweep(): void {
    if (this.#watched.size === 0) return this.#rest();
    const nowMs = this.#clock.monotonic();
    this.#watched.visit((watched) => watched.check(nowMs));
  }

  #rest(): void {
    this.#timer?.cancel();
    this.#timer = null;
  }
}
