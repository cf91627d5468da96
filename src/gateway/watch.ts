/**
 * Looks at everything that waits, a few times a second, and lets it see whether its time is up.
 * One sweep over plain numbers is cheaper than a timer re-armed for every chunk of every stream.
 */
import type { Clock, Timer } from '../core/clock.ts';
import { type Listed, Roster } from '../core/roster.ts';

export interface Watched extends Listed {
  /** `nowMs` is monotonic. May remove itself from the watch. */
  check(nowMs: number): void;
}

const SWEEP_EVERY_MS = 250;

export class Watch {
  readonly #watched = new Roster<Watched>();
  readonly #timer: Timer;

  constructor(clock: Clock, sweepEveryMs = SWEEP_EVERY_MS) {
    this.#timer = clock.every(sweepEveryMs, () => {
      const nowMs = clock.monotonic();
      this.#watched.visit((watched) => watched.check(nowMs));
    });
  }

  add(watched: Watched): void {
    this.#watched.add(watched);
  }

  delete(watched: Watched): void {
    this.#watched.delete(watched);
  }

  close(): void {
    this.#timer.cancel();
  }
}
