/** The health of one provider, or of one model at a provider, computed from the outcomes of calls. */
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
import { type PaceFigures, type PacePercentiles, PaceSamples } from './pace-samples.ts';
import { RecentSamples } from './recent-samples.ts';

/** Why a call failed: never the provider's own message, which may quote a caller. */
export interface FailureReason {
  readonly code: ErrorCode;
  /** The provider's HTTP status; null if there was no answer. */
  readonly status: number | null;
  /** Node's code for a failed connection (`ECONNREFUSED`); null for other failures, or if there is no code. */
  readonly connectionError: string | null;
  /** Whether the connection failed before anything of the request was sent. */
  readonly neverAsked: boolean;
}

/** Times are monotonic, ms. */
export interface HealthFigures {
  readonly state: HealthState;
  /** When the state began; null for `unknown`. */
  readonly since: number | null;
  readonly lastGoodAt: number | null;
  /** If the state is a problem, the last failure of the kind that caused it (the last limit for `limited`); otherwise the last of either kind. */
  readonly lastFailure: { readonly at: number; readonly reason: FailureReason } | null;
  /** Outcomes of the last five minutes. */
  readonly recent: OutcomeSums;
  readonly failedInARow: number;
  /** Time to first byte over the last 64 good answers; null before the first. */
  readonly firstByteP50Ms: number | null;
  readonly firstByteP95Ms: number | null;
  /** Of streams only, where a first token can be seen; null without one in the last ten minutes. */
  readonly pace: PaceFigures | null;
}

const SINCE = 0;
const LAST_GOOD = 1;
const LAST_FAILURE = 2;
/** The last failure of a call that was sent to the provider. */
const LAST_ASKED_FAILURE = 3;
const LAST_LIMIT = 4;
const NEVER = -1;

export class CallHealth {
  readonly #window = new OutcomeWindow();
  readonly #firstBytes = new RecentSamples();
  /** Set by the first stream. */
  #pace: PaceSamples | null = null;
  #state: HealthState = 'unknown';
  #failedInARow = 0;
  /** How many of those were sent to the provider. */
  #askedInARow = 0;
  #wasGood = false;
  /** A typed array stores its numbers inline; a field would allocate an object for each new fraction. */
  readonly #times = new Float64Array([0, NEVER, NEVER, NEVER, NEVER]);
  #failure: FailureReason | null = null;
  #limit: FailureReason | null = null;

  /** As of the last outcome; `figures` also takes the time since then into account. */
  get state(): HealthState {
    return this.#state;
  }

  /** Returns whether the state has changed. `nowMs` is monotonic here and below. */
  good(nowMs: number, firstByteMs: number): boolean {
    this.#window.add(nowMs, GOOD);
    this.#firstBytes.add(firstByteMs);
    this.#failedInARow = 0;
    this.#askedInARow = 0;
    this.#wasGood = true;
    this.#times[LAST_GOOD] = nowMs;
    // A good call cannot make the state worse.
    return this.#state === 'good' ? false : this.#judge(nowMs);
  }

  /** A stream of a good call: the time to its first token, and how fast the others followed. */
  streamed(nowMs: number, firstTokenMs: number, tokensPerSecond: number): void {
    this.#pace ??= new PaceSamples();
    this.#pace.add(nowMs, firstTokenMs, tokensPerSecond);
  }

  /** O(1); null without a stream in the last ten minutes. */
  pace(nowMs: number): PaceFigures | null {
    return this.#pace === null ? null : this.#pace.read(nowMs);
  }

  /** Null without a stream in the last half hour. */
  percentiles(nowMs: number): PacePercentiles | null {
    return this.#pace === null ? null : this.#pace.percentiles(nowMs);
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
   * A connection test has succeeded. That matters only if calls failed to connect and for no other reason; the state then
   * becomes `unknown`: only a call can show whether calls are answered.
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
      pace: this.pace(nowMs),
    };
  }

  /** Whether a failure that counts now is of a call that was sent to it. */
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
