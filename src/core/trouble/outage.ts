/**
 * Something that fails for a while. Its beginning and its end are worth a report, and nothing in between: a log with the beginning alone leaves
 * an operator searching for a failure that has ended.
 */
import type { Clock } from '../clock.ts';

export class Outage {
  readonly #clock: Pick<Clock, 'monotonic'>;
  #since: number | null = null;

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  get isOn(): boolean {
    return this.#since !== null;
  }

  /** It failed. Returns whether that is news. */
  failed(): boolean {
    if (this.#since !== null) return false;
    this.#since = this.#clock.monotonic();
    return true;
  }

  /** It worked. Returns how long it had failed, ms without a fraction; null if it had not. */
  worked(): number | null {
    if (this.#since === null) return null;
    const lastedMs = Math.round(this.#clock.monotonic() - this.#since);
    this.#since = null;
    return lastedMs;
  }
}
