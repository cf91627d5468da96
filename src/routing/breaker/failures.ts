/**
 * Whether failures of calls are enough to stop asking: five in a row, or half of the last twenty; four of them if callers lose their answers
 * by it, and two once a probe has let calls in again. Only the last thirty seconds count. One caller's request may break a server, so the
 * failures of one caller alone are not enough while other callers are answered.
 */
import { LastOutcomes, OUTCOMES } from './last-outcomes.ts';

const IN_A_ROW = 5;
const OF_LAST = OUTCOMES / 2;
const OF_LAST_WITH_LOSS = 4;
const OF_FIRST_AFTER_PROBE = 2;
const WINDOW_MS = 30_000;
const NEVER = Number.NEGATIVE_INFINITY;

/** The account whose call it was; null if no request could have caused what happened. */
export type Suspect = number | null;

export class Failures {
  readonly #last = new LastOutcomes();
  #inARow = 0;
  /** Of the calls since a probe let them in: how many still count as the first, and how many of those failed. */
  #firstLeft = 0;
  #firstFailed = 0;
  /** Whose call failed last, and when last a call failed that was not of the same caller as the one before. */
  #failedOf: Suspect = null;
  #mixedAt = NEVER;
  /** Whose call was answered last, when, and when last another caller's was. */
  #goodOf: Suspect = null;
  #goodAt = NEVER;
  #othersGoodAt = NEVER;
  /** Whose request was refused last, since a call was answered. */
  #refusedOf: number | null = null;

  /** `nowMs` is monotonic here and below. */
  good(nowMs: number, caller: number): void {
    this.#last.good();
    if (this.#firstLeft > 0) this.#firstLeft -= 1;
    this.#inARow = 0;
    this.#refusedOf = null;
    if (caller !== this.#goodOf) {
      this.#othersGoodAt = this.#goodAt;
      this.#goodOf = caller;
    }
    this.#goodAt = nowMs;
  }

  /** Returns whether it should not be asked any more. `isLoss`: the caller gets no answer, though another provider is ready to give one. */
  failed(nowMs: number, suspect: Suspect, isLoss: boolean): boolean {
    this.#last.failed(nowMs);
    this.#inARow += 1;
    if (this.#firstLeft > 0) {
      this.#firstLeft -= 1;
      this.#firstFailed += 1;
    }
    if (suspect === null || (this.#failedOf !== null && suspect !== this.#failedOf)) this.#mixedAt = nowMs;
    this.#failedOf = suspect ?? this.#failedOf;
    return this.#areEnough(nowMs, isLoss) && !this.#isOneCallersDoing(nowMs);
  }

  /**
   * A request was refused in a way that may be its own fault. Returns whether it is more likely the provider's: no other caller has been
   * answered lately, or another one was refused as well, and nobody answered since.
   */
  refused(nowMs: number, caller: number): boolean {
    const isOfOthers = this.#refusedOf !== null && this.#refusedOf !== caller;
    this.#refusedOf = caller;
    return isOfOthers || nowMs - this.#othersGood(caller) >= WINDOW_MS;
  }

  /** When a call was answered last, whoever's. */
  get answeredAt(): number {
    return this.#goodAt;
  }

  /** The account of all failures of the last while; null if there were others', or some that no request could have caused. */
  suspect(nowMs: number): Suspect {
    return nowMs - this.#mixedAt < WINDOW_MS ? null : this.#failedOf;
  }

  /** It is asked again: the next failure is enough until an answer is complete, and then two are. What failed before still counts. */
  distrust(): void {
    this.#inARow = IN_A_ROW - 1;
    this.#firstLeft = OUTCOMES;
    this.#firstFailed = 0;
  }

  #areEnough(nowMs: number, isLoss: boolean): boolean {
    if (this.#inARow >= IN_A_ROW) return true;
    const failed = this.#last.failedSince(nowMs - WINDOW_MS);
    if (this.#firstLeft > 0 && Math.min(failed, this.#firstFailed) >= OF_FIRST_AFTER_PROBE) return true;
    return (failed >= OF_LAST && this.#last.isFull) || (isLoss && failed >= OF_LAST_WITH_LOSS);
  }

  #isOneCallersDoing(nowMs: number): boolean {
    if (nowMs - this.#mixedAt < WINDOW_MS) return false;
    return nowMs - this.#othersGood(this.#failedOf) < WINDOW_MS;
  }

  /** When last a call of another caller was answered. */
  #othersGood(caller: Suspect): number {
    return this.#goodOf === caller ? this.#othersGoodAt : this.#goodAt;
  }
}
