/** Now, as limits count it: read once per call, so that all limits of a call are judged at one time. */
import { dayOf, dayStart } from '../core/calendar.ts';
import type { Clock } from '../core/clock.ts';

export const MINUTE_MS = 60_000;

export class Moment {
  /** Minutes of monotonic time; nothing of the time of day. */
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
    // A clock set back across midnight does not give the day's requests out anew; one that was days ahead is put right.
    if (day > this.day || day < this.day - 1) this.day = day;
  }

  untilNextDayMs(): number {
    return dayStart(this.day + 1) - this.wallMs;
  }
}
