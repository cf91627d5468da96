/** How calls to one provider, or to one model at one provider, have gone: a few counters, and what they say. */
import type { ErrorCode } from '../core/errors.ts';
import { type HealthState, healthState } from './health-state.ts';
import { FAILED, GOOD, LIMITED, type OutcomeKind, type OutcomeSums, OutcomeWindow } from './outcome-window.ts';
import { RecentSamples } from './recent-samples.ts';

/** Why a call failed: never in a provider's own words, which may quote a caller. */
export interface FailureReason {
  readonly code: ErrorCode;
  /** The provider's HTTP status; null when there was no answer. */
  readonly status: number | null;
  /** Why there was no connection, as Node names it (`ECONNREFUSED`); null where that is not it, or it has no name. */
  readonly connectionError: string | null;
}

/** Times are monotonic, ms. */
export interface HealthFigures {
  readonly state: HealthState;
  /** Since when; null for `unknown`. */
  readonly since: number | null;
  readonly lastGoodAt: number | null;
  readonly lastFailure: { readonly at: number; readonly reason: FailureReason } | null;
  /** Of the last five minutes. */
  readonly recent: OutcomeSums;
  readonly failedInARow: number;
  /** To the first byte of the last good answers, at most 64; null before the first. */
  readonly firstByteP50Ms: number | null;
  readonly firstByteP95Ms: number | null;
}

const SINCE = 0;
const LAST_GOOD = 1;
const LAST_FAILURE = 2;
const NEVER = -1;

export class CallHealth {
  readonly #window = new OutcomeWindow();
  readonly #firstBytes = new RecentSamples();
  #state: HealthState = 'unknown';
  #failedInARow = 0;
  #wasGood = false;
  /** A typed array holds its numbers in place; a field would hold each new fraction in an object of its own. */
  readonly #times = new Float64Array([0, NEVER, NEVER]);
  #lastReason: FailureReason | null = null;

  /** Of the last note; what time alone changes shows in `figures`. */
  get state(): HealthState {
    return this.#state;
  }

  /** Whether the state is another one now. `nowMs` is monotonic here and below. */
  good(nowMs: number, firstByteMs: number): boolean {
    this.#window.add(nowMs, GOOD);
    this.#firstBytes.add(firstByteMs);
    this.#failedInARow = 0;
    this.#wasGood = true;
    this.#times[LAST_GOOD] = nowMs;
    // A good call makes nothing worse.
    return this.#state === 'good' ? false : this.#judge(nowMs);
  }

  failed(nowMs: number, reason: FailureReason): boolean {
    this.#failedInARow += 1;
    return this.#bad(nowMs, FAILED, reason);
  }

  limited(nowMs: number, reason: FailureReason): boolean {
    return this.#bad(nowMs, LIMITED, reason);
  }

  /** A test of the connection was passed: what failed before says no more. `isGood`: whether that alone makes it good. */
  forgive(nowMs: number, isGood: boolean): boolean {
    this.#window.clear();
    this.#failedInARow = 0;
    this.#wasGood = isGood;
    return this.#judge(nowMs);
  }

  figures(nowMs: number): HealthFigures {
    const recent = this.#window.sums(nowMs);
    const state = this.#stateBy(recent);
    const [since = 0, lastGoodAt = NEVER, lastFailureAt = NEVER] = this.#times;
    return {
      state,
      since: state === 'unknown' ? null : state === this.#state ? since : nowMs,
      lastGoodAt: lastGoodAt === NEVER ? null : lastGoodAt,
      lastFailure: this.#lastReason === null ? null : { at: lastFailureAt, reason: this.#lastReason },
      recent,
      failedInARow: this.#failedInARow,
      firstByteP50Ms: this.#firstBytes.percentile(0.5),
      firstByteP95Ms: this.#firstBytes.percentile(0.95),
    };
  }

  #bad(nowMs: number, kind: OutcomeKind, reason: FailureReason): boolean {
    this.#window.add(nowMs, kind);
    this.#lastReason = reason;
    this.#times[LAST_FAILURE] = nowMs;
    return this.#judge(nowMs);
  }

  #judge(nowMs: number): boolean {
    const state = this.#stateBy(this.#window.sums(nowMs));
    if (state === this.#state) return false;
    this.#state = state;
    this.#times[SINCE] = nowMs;
    return true;
  }

  #stateBy(recent: OutcomeSums): HealthState {
    return healthState({ recent, failedInARow: this.#failedInARow, wasGood: this.#wasGood }, this.#state);
  }
}
