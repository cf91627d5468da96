/** The current time for limits: read once per call, so that all limits of a call are checked at the same time. */
import { dayOf, dayStart } from '../core/calendar.ts';
import type { Clock } from '../core/clock.ts';

export const MINUTE_MS = 60_000;

export class Moment {
  /** Monotonic, ms. */
  monotonicMs = 0;
  /** Minutes of monotonic time, unrelated to the time of day; with other nodes, minutes since 1970, which are the same for all. */
  minute = 0;
  /** How much of the minute is over, ms. */
  elapsedMs = 0;
  /** The UTC day that counts. */
  day: number;
  /** Wall time, ms. */
  wallMs: number;
  readonly #clock: Clock;
  readonly #isShared: boolean;

  /** `isShared`: the clock's wall time is that of all nodes, and does not jump. */
  constructor(clock: Clock, isShared = false) {
    this.#clock = clock;
    this.#isShared = isShared;
    this.wallMs = clock.now();
    this.day = dayOf(this.wallMs);
    this.update();
  }

  update(): void {
    this.monotonicMs = this.#clock.monotonic();
    this.wallMs = this.#clock.now();
    const minuteMs = this.#isShared ? this.wallMs : this.monotonicMs;
    this.minute = Math.floor(minuteMs / MINUTE_MS);
    this.elapsedMs = minuteMs - this.minute * MINUTE_MS;
    const day = dayOf(this.wallMs);
    // Setting the clock back across midnight does not reset the day's requests; a clock that was days ahead is corrected.
    if (day > this.day || day < this.day - 1) this.day = day;
  }

  untilNextDayMs(): number {
    return dayStart(this.day + 1) - this.wallMs;
  }
}
