/**
 * Whether a node may still spend what was lent to it. Others take a node for lost that was not seen for `LOST_AFTER_MS` of the
 * database's time, and lend its shares again. So it stops on its own before that: `STOP_AFTER_MS` after it sent the last pulse that
 * was answered, by the monotonic clock or the wall clock, whichever says so first (a suspended machine stops the former; the latter
 * may be stepped). The 20 s between are for the bank's steps in noting pulses (5 s) and for clocks that drift.
 */
import type { Clock } from '../../core/clock.ts';

export const STOP_AFTER_MS = 100_000;
export const LOST_AFTER_MS = 120_000;

/** A time by both clocks of the process, ms. */
export interface Moment {
  readonly monotonic: number;
  readonly wall: number;
}

export class Fence {
  readonly #clock: Pick<Clock, 'now' | 'monotonic'>;
  #renewed: Moment | null = null;

  /** `clock`: the process's own. */
  constructor(clock: Pick<Clock, 'now' | 'monotonic'>) {
    this.#clock = clock;
  }

  moment(): Moment {
    return { monotonic: this.#clock.monotonic(), wall: this.#clock.now() };
  }

  /** A pulse, sent at this time, found the node in its place. An earlier one than the last changes nothing. */
  renew(sentAt: Moment): void {
    if (this.#renewed === null || sentAt.monotonic >= this.#renewed.monotonic) this.#renewed = sentAt;
  }

  /** The place is lost. */
  shut(): void {
    this.#renewed = null;
  }

  get isOpen(): boolean {
    const renewed = this.#renewed;
    if (renewed === null) return false;
    const wallAge = this.#clock.now() - renewed.wall;
    // A wall clock that was set back by more than a moment says nothing about how much time has passed.
    return this.#clock.monotonic() - renewed.monotonic < STOP_AFTER_MS && wallAge < STOP_AFTER_MS;
  }
}
