/** The current time for limits: read once per call, so that all limits of a call are checked at the same time. */
import { dayOf, dayStart } from '../core/calendar.ts';
import type { Clock } from '../core/clock.ts';

export const MINUTE_MS = 60_000;

export class Moment {
  /** Minutes of monotonic time; unrelated to the time of day. */
  minute = 0;
  /** How much of the minute is over, ms. */
  elapsedMs = 0;
  /** The UTC day that counts. */
  day: number;
  /** Wall time, ms. */
  wallMs: number;
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.wallMs = clock.now();
    this.day = dayOf(this.wallMs);
    this.update();
  }

  update(): void {
    const monotonicMs = this.#clock.monotonic();
    this.minute = Math.floor(monotonicMs / MINUTE_MS);
    this.elapsedMs = monotonicMs - this.minute * MINUTE_MS;
    this.wallMs = this.#clock.now();
    const day = dayOf(this.wallMs);
    // Setting the clock back across midnight does not reset the day's requests; a clock that was days ahead is corrected.
    if (day > this.day || day < this.day - 1) this.day = day;
  }

  untilNextDayMs(): number {
    return dayStart(this.day + 1) - this.wallMs;
  }
}
