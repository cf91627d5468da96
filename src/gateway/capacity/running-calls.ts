/** The calls in progress: their number is capped, and a shutdown waits for them. */

import type { Clock } from '../../core/clock.ts';
import { DenseSet, type Indexed } from '../../core/dense-set.ts';
import { GatewayError } from '../../core/errors.ts';
import { FairShares, type Share } from '../../core/fair-shares.ts';
import type { AccountId, KeyId } from '../../core/ids.ts';
import type { Ending } from '../../core/settlement.ts';

const RETRY_AFTER_SECONDS = 1;

/** The part of a call that is used here: its key's share of slots while its request is arriving, and how to end it. */
export interface RunningCall extends Indexed {
  readonly key: { readonly id: KeyId; readonly accountId: AccountId } | null;
  arriving: Share | null;
  cancel(ending: Ending): void;
}

/** Only a call with a key takes a slot. */
type EnteringCall = RunningCall & { readonly key: object };

export class RunningCalls {
  readonly #calls = new DenseSet<RunningCall>();
  readonly #max: number;
  /** Slots of calls whose request is arriving. Limits do not count those yet, so each key has its share of slots. */
  readonly #arriving: FairShares;
  #state: 'open' | 'draining' | 'closed' = 'open';
  /** Set while a drain waits. */
  #onChange: (() => void) | null = null;

  constructor(max: number) {
    this.#max = max;
    this.#arriving = new FairShares(max);
  }

  get count(): number {
    return this.#calls.size;
  }

  /** True from the first signal to shut down; readiness reports it immediately. */
  get draining(): boolean {
    return this.#state !== 'open';
  }

  /**
   * Throws 503 if the cap is reached, too many requests of its key or account are arriving already, or the gateway accepts no
   * more calls.
   */
  enter(call: EnteringCall): void {
    if (this.#state === 'closed') throw new GatewayError('draining', { retryAfterSeconds: RETRY_AFTER_SECONDS });
    if (this.#calls.size >= this.#max) throw new GatewayError('shedding', { retryAfterSeconds: RETRY_AFTER_SECONDS });
    this.#takeShare(call);
    this.#calls.add(call);
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
    if (call.arriving === null) this.#takeShare(call);
  }

  #takeShare(call: EnteringCall): void {
    const { key } = call;
    const share = this.#arriving.of(key.accountId, key.id);
    if (share.take(1) !== null) {
      const message = 'Too many requests of this key are arriving at once; try again shortly.';
      throw new GatewayError('shedding', { message, retryAfterSeconds: RETRY_AFTER_SECONDS });
    }
    call.arriving = share;
  }

  leave(call: RunningCall): void {
    this.arrived(call);
    this.#calls.delete(call);
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
    this.#onChange?.();
  }
}
