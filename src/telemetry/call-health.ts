/** How calls to one provider, or to one model at one provider, have gone: a few counters, and what they say. */
import type { ErrorCode } from '../core/errors.ts';
import { type HealthState, healthState, isFailing } from './health-state.ts';
import {
  FAILED,
  GOOD,
  LIMITED,
  type OutcomeKind,
  type OutcomeSums,
  OutcomeWindow,
  WINDOW_MS,
} from './outcome-window.ts';
import { RecentSamples } from './recent-samples.ts';

/** Why a call failed: never in a provider's own words, which may quote a caller. */
export interface FailureReason {
  readonly code: ErrorCode;
  /** The provider's HTTP status; null when there was no answer. */
  readonly status: number | null;
  /** Why there was no connection, as Node names it (`ECONNREFUSED`); null where that is not it, or it has no name. */
  readonly connectionError: string | null;
  /** Whether there was no connection at all: nothing of the request was sent. */
  readonly neverAsked: boolean;
}

/** Times are monotonic, ms. */
export interface HealthFigures {
  readonly state: HealthState;
  /** Since when; null for `unknown`. */
  readonly since: number | null;
  readonly lastGoodAt: number | null;
  /** In a trouble one of those that make it: of `limited` the last limit. Else the last of either. */
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
/** The last failure of a call that the provider was asked. */
const LAST_ASKED_FAILURE = 3;
const LAST_LIMIT = 4;
const NEVER = -1;

export class CallHealth {
  readonly #window = new OutcomeWindow();
  readonly #firstBytes = new RecentSamples();
  #state: HealthState = 'unknown';
  #failedInARow = 0;
  /** How many of those the provider was asked. */
  #askedInARow = 0;
  #wasGood = false;
  /** A typed array holds its numbers in place; a field would hold each new fraction in an object of its own. */
  readonly #times = new Float64Array([0, NEVER, NEVER, NEVER, NEVER]);
  #failure: FailureReason | null = null;
  #limit: FailureReason | null = null;

  /** Of the last note; what time alone changes shows in `figures`. */
  get state(): HealthState {
    return this.#state;
  }

  /** Whether the state is another one now. `nowMs` is monotonic here and below. */
  good(nowMs: number, firstByteMs: number): boolean {
    this.#window.add(nowMs, GOOD);
    this.#firstBytes.add(firstByteMs);
    this.#failedInARow = 0;
    this.#askedInARow = 0;
    this.#wasGood = true;
    this.#times[LAST_GOOD] = nowMs;
    // A good call makes nothing worse.
    return this.#state === 'good' ? false : this.#judge(nowMs);
  }

  failed(nowMs: number, reason: FailureReason): boolean {
    this.#failedInARow += 1;
    if (!reason.neverAsked) {
      this.#askedInARow += 1;
      this.#times[LAST_ASKED_FAILURE] = nowMs;
    }
    this.#failure = reason;
    this.#times[LAST_FAILURE] = nowMs;
    return this.#bad(nowMs, FAILED);
  }

  limited(nowMs: number, reason: FailureReason): boolean {
    this.#limit = reason;
    this.#times[LAST_LIMIT] = nowMs;
    return this.#bad(nowMs, LIMITED);
  }

  /**
   * A test has reached it. That says something only where calls failed for want of a connection and for nothing else, and then
   * no more than that: whether calls are answered, a call has to show.
   */
  reached(nowMs: number): boolean {
    if (!isFailing(this.#stateBy(this.#window.sums(nowMs))) || this.#wasAskedInVain(nowMs)) return false;
    this.#window.forget(FAILED);
    this.#failedInARow = 0;
    this.#wasGood = false;
    return this.#judge(nowMs);
  }

  figures(nowMs: number): HealthFigures {
    const recent = this.#window.sums(nowMs);
    const state = this.#stateBy(recent);
    const [since = 0, lastGoodAt = NEVER] = this.#times;
    return {
      state,
      since: state === 'unknown' ? null : state === this.#state ? since : nowMs,
      lastGoodAt: lastGoodAt === NEVER ? null : lastGoodAt,
      lastFailure: this.#lastFailure(state),
      recent,
      failedInARow: this.#failedInARow,
      firstByteP50Ms: this.#firstBytes.percentile(0.5),
      firstByteP95Ms: this.#firstBytes.percentile(0.95),
    };
  }

  /** Whether a failure that counts now is one of a call that it was asked. */
  #wasAskedInVain(nowMs: number): boolean {
    const at = this.#times[LAST_ASKED_FAILURE] ?? NEVER;
    return this.#askedInARow > 0 || (at !== NEVER && nowMs - at < WINDOW_MS);
  }

  #lastFailure(state: HealthState): HealthFigures['lastFailure'] {
    const failedAt = this.#times[LAST_FAILURE] ?? NEVER;
    const limitedAt = this.#times[LAST_LIMIT] ?? NEVER;
    const isLimit = state === 'limited' || (!isFailing(state) && limitedAt > failedAt);
    const reason = isLimit ? this.#limit : this.#failure;
    return reason === null ? null : { at: isLimit ? limitedAt : failedAt, reason };
  }

  #bad(nowMs: number, kind: OutcomeKind): boolean {
    this.#window.add(nowMs, kind);
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
