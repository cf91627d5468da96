/**
 * Whether failures of calls are enough to stop asking: five in a row, or more than half of at least twenty in thirty seconds. One caller's
 * request may break a server, so the failures of one caller alone are not enough while other callers are answered.
 */
import { SlidingCounts } from '../sliding-counts.ts';

const IN_A_ROW = 5;
const SHARE_OF_AT_LEAST = 20;
const WINDOW_MS = 30_000;
const SLOTS = 10;
const ALL = 0;
const FAILED = 1;
const NEVER = Number.NEGATIVE_INFINITY;

/** The account whose call it was; null if no request could have caused what happened. */
export type Suspect = number | null;

export class Failures {
  readonly #counts = new SlidingCounts({ slotMs: WINDOW_MS / SLOTS, slots: SLOTS, kinds: 2 });
  #inARow = 0;
  /** Whose call failed last, and when last a call failed that was not of the same caller as the one before. */
  #failedOf: Suspect = null;
  #mixedAt = NEVER;
  /** Whose call was answered last, when, and when last another caller's was. */
  #goodOf: Suspect = null;
  #goodAt = NEVER;
  #othersGoodAt = NEVER;

  /** `nowMs` is monotonic here and below. */
  good(nowMs: number, caller: number): void {
    this.#counts.add(nowMs, ALL);
    this.#inARow = 0;
    if (caller !== this.#goodOf) {
      this.#othersGoodAt = this.#goodAt;
      this.#goodOf = caller;
    }
    this.#goodAt = nowMs;
  }

  /** Returns whether it should not be asked any more. */
  failed(nowMs: number, suspect: Suspect): boolean {
    this.#counts.add(nowMs, ALL);
    this.#counts.add(nowMs, FAILED);
    this.#inARow += 1;
    if (suspect === null || (this.#failedOf !== null && suspect !== this.#failedOf)) this.#mixedAt = nowMs;
    this.#failedOf = suspect ?? this.#failedOf;
    return this.#areEnough(nowMs) && !this.#isOneCallersDoing(nowMs);
  }

  /** It is asked again: the next failure is enough, until an answer is complete. */
  distrust(): void {
    this.#counts.clear();
    this.#inARow = IN_A_ROW - 1;
  }

  #areEnough(nowMs: number): boolean {
    if (this.#inARow >= IN_A_ROW) return true;
    const all = this.#counts.sum(nowMs, ALL);
    return all >= SHARE_OF_AT_LEAST && this.#counts.sum(nowMs, FAILED) > all / 2;
  }

  #isOneCallersDoing(nowMs: number): boolean {
    if (nowMs - this.#mixedAt < WINDOW_MS) return false;
    const othersGoodAt = this.#goodOf === this.#failedOf ? this.#othersGoodAt : this.#goodAt;
    return nowMs - othersGoodAt < WINDOW_MS;
  }
}
