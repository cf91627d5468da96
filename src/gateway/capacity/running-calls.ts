/** The calls in progress: their number is capped and shared fairly, an overload sheds new ones, and a shutdown waits for them. */

import { type Clock, systemClock } from '../../core/clock.ts';
import { DenseSet, type Indexed } from '../../core/dense-set.ts';
import { GatewayError } from '../../core/errors.ts';
import { FairShares, type FullShare, type Share } from '../../core/fair-shares.ts';
import type { AccountId, KeyId } from '../../core/ids.ts';
import type { Ending } from '../../core/settlement.ts';
import { CallShares, type KeyShare } from './call-shares.ts';
import { LoadGuard, type LoadLimits, type LoadMeasures, NO_LOAD, type Shortage } from './load-guard.ts';
import { type ShedCall, shedCall } from './shed-call.ts';
import { type WaitingCall, WaitingLine } from './waiting-line.ts';

const RETRY_AFTER_SECONDS = 1;

/** The part of a call that is used here: its key's shares of slots, one of them while its request is arriving, and how to end it. */
export interface RunningCall extends Indexed, WaitingCall {
  readonly key: { readonly id: KeyId; readonly accountId: AccountId } | null;
  /** Set while it runs. */
  share: KeyShare | null;
  arriving: Share | null;
  cancel(ending: Ending): void;
}

/** Only a call with a key takes a slot. */
type EnteringCall = RunningCall & { readonly key: object };

export interface RunningCallsOptions {
  readonly clock?: Clock;
  /** Shows whether the gateway has too much to do; without it, it never has. */
  readonly measures?: LoadMeasures;
  readonly limits?: LoadLimits;
}

const NO_LIMITS: LoadLimits = { loopDelayMs: Number.POSITIVE_INFINITY };

export class RunningCalls {
  /** Whether there is more to do than the gateway can. */
  readonly load: LoadGuard;
  readonly #calls = new DenseSet<RunningCall>();
  readonly #shares: CallShares;
  readonly #line: WaitingLine<EnteringCall>;
  #max: number;
  #limits: LoadLimits;
  /** Slots of calls whose request is arriving. Limits do not count those yet, so each key has its share of slots. */
  #arriving: FairShares;
  #state: 'open' | 'draining' | 'closed' = 'open';
  /** Set while a drain waits. */
  #onChange: (() => void) | null = null;

  constructor(max: number, options: RunningCallsOptions = {}) {
    const { clock = systemClock, measures = NO_LOAD, limits = NO_LIMITS } = options;
    this.#max = max;
    this.#limits = limits;
    this.#shares = new CallShares(max);
    this.#arriving = new FairShares(max);
    this.#line = new WaitingLine(max, {
      clock,
      place: (call, share) => this.#blockedBy(share) === null && this.#place(call, share),
      refuse: (share) => this.#refuse(share, this.#blockedBy(share) ?? 'installation'),
    });
    this.load = new LoadGuard(clock, measures, () => this.#limits, this.#shares);
  }

  get count(): number {
    return this.#calls.size;
  }

  /** `limits.inFlightMax`. */
  get max(): number {
    return this.#max;
  }

  /** Those of them whose request is still arriving. */
  get arriving(): number {
    return this.#arriving.used;
  }

  /** Calls that wait for a place. */
  get waiting(): number {
    return this.#line.size;
  }

  /** Takes effect for new calls; running ones go on. */
  setLimits(max: number, limits: LoadLimits): void {
    this.#limits = limits;
    if (max === this.#max) return;
    this.#max = max;
    this.#shares.setPlaces(max);
    this.#line.setPlaces(max);
    // Requests that are arriving give their slots back to the shares that they came from.
    this.#arriving = new FairShares(max);
  }

  /** True from the first signal to shut down; readiness reports it immediately. */
  get draining(): boolean {
    return this.#state !== 'open';
  }

  /**
   * Throws 503 `overloaded` if its key or account has its share of the slots, too many of their requests are arriving already, or the
   * gateway has too much to do; `draining` if it accepts no more calls. If a slot may become free in a moment, `waiting` of the call is a
   * promise, which rejects with the same errors, or if the call is cut off meanwhile.
   */
  enter(call: EnteringCall): void {
    if (this.#state === 'closed') throw draining();
    const { key } = call;
    const share = this.#shares.of(key.accountId, key.id);
    const shed = this.load.judge(share);
    if (shed !== null) throw this.#shed(shed.shortage, shed.binding);
    const binding = this.#blockedBy(share);
    if (binding === null) this.#place(call, share);
    else if (!this.#line.join(call, share, this.#shares.hasFew(share))) throw this.#refuse(share, binding);
  }

  #blockedBy(share: KeyShare): FullShare | null {
    return this.#shares.blockedBy(share, this.#max - this.#calls.size);
  }

  #place(call: EnteringCall, share: KeyShare): true {
    this.#takeArriving(call);
    this.#shares.enter(share);
    call.share = share;
    this.#calls.add(call);
    return true;
  }

  #refuse(share: KeyShare, binding: FullShare): ShedCall {
    this.#shares.refused(share);
    return this.#shed('in_flight', binding);
  }

  /** The request is complete: from here on, limits and holds bound the number of such calls. */
  arrived(call: RunningCall): void {
    call.arriving?.give(1);
    call.arriving = null;
  }

  /**
   * For a call that costs nothing and takes as long as its caller likes: it uses its key's share of slots again. Throws 503
   * like `enter`.
   */
  waitsAgain(call: EnteringCall): void {
    if (call.arriving === null) this.#takeArriving(call);
  }

  #takeArriving(call: EnteringCall): void {
    const { key } = call;
    const share = this.#arriving.of(key.accountId, key.id);
    if (share.take(1) !== null) throw this.#shed('arriving', share.blockedBy(share.used + 1));
    call.arriving = share;
  }

  #shed(shortage: Shortage, binding: FullShare): ShedCall {
    this.load.noteShed(shortage);
    return shedCall(shortage, binding);
  }

  leave(call: RunningCall): void {
    this.arrived(call);
    const { share } = call;
    if (share !== null) this.#shares.leave(share);
    call.share = null;
    this.#calls.delete(call);
    // A call that was refused has freed nothing.
    if (share !== null && this.#line.size > 0) this.#line.serve();
    this.#onChange?.();
  }

  /**
   * Accepts new calls for another `graceMs`, even if none is running, so that a load balancer has time to switch; then waits
   * for running calls. Those still running at the deadline are cut off, each with its own error.
   */
  async drain(clock: Clock, limits: { graceMs: number; deadlineMs: number }): Promise<void> {
    this.#state = 'draining';
    const over = Promise.withResolvers<void>();
    const onChange = () => {
      if (this.#state === 'closed' && this.#calls.size === 0) over.resolve();
    };
    this.#onChange = onChange;
    const grace = clock.after(limits.graceMs, () => this.#close());
    const deadline = clock.after(limits.deadlineMs, () => this.cutAll());
    if (limits.graceMs === 0) this.#close();
    await over.promise;
    grace.cancel();
    deadline.cancel();
  }

  /** Ends the running calls of a key that was revoked with immediate effect. */
  cutKey(id: KeyId): void {
    this.#calls.visit((call) => {
      if (call.key?.id === id) call.cancel('key_cut');
    });
  }

  /** Accepts no more calls and ends running ones: for when there is no more time. */
  cutAll(): void {
    this.#calls.visit((call) => call.cancel('drained'));
    this.#close();
  }

  #close(): void {
    this.#state = 'closed';
    this.#line.close(draining);
    this.#onChange?.();
  }
}

function draining(): GatewayError {
  return new GatewayError('draining', { retryAfterSeconds: RETRY_AFTER_SECONDS });
}
