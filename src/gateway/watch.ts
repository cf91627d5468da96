/**
 * Looks at everything that waits, a few times a second, and lets it see whether its time is up.
 * One sweep over plain numbers is cheaper than a timer re-armed for every chunk of every stream.
 */
import type { Clock, Timer } from '../core/clock.ts';

export interface Watched {
  /** `nowMs` is monotonic. May remove itself from the watch. */
  check(nowMs: number): void;
}

const SWEEP_EVERY_MS = 250;

export class Watch {
  readonly #watched = new Set<Watched>();
  readonly #timer: Timer;

  constructor(clock: Clock, sweepEveryMs = SWEEP_EVERY_MS) {
    this.#timer = clock.every(sweepEveryMs, () => {
      const nowMs = clock.monotonic();
      for (const watched of this.#watched) watched.check(nowMs);
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
