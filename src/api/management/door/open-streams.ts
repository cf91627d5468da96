/**
 * Bounds the number of long-running answers: each occupies a connection, and up to a quarter of a megabyte. An account, or a caller without
 * one, has at most half of what the others leave free.
 */
import { GatewayError } from '../../../core/errors.ts';
import { FairSlots } from '../../../core/fair-slots.ts';
import type { RequestContext } from './request-context.ts';

const RETRY_AFTER_SECONDS = 10;

export class OpenStreams {
  readonly #what: string;
  readonly #ofOneMax: number;
  readonly #slots: FairSlots;
  readonly #byActor = new Map<string, number>();

  /** `ofOneMax` applies to one person, who may have several tabs open, but must not use up the account's share. */
  constructor(what: string, { allMax, ofOneMax }: { readonly allMax: number; readonly ofOneMax: number }) {
    this.#what = what;
    this.#ofOneMax = ofOneMax;
    this.#slots = new FairSlots(allMax);
  }

  /** Counts one until the returned function is called. Throws `GatewayError` `shedding` if there are too many. */
  enter({ actorId, accountId }: Pick<RequestContext, 'actorId' | 'accountId'>): () => void {
    const own = this.#byActor.get(actorId) ?? 0;
    const leave = own >= this.#ofOneMax ? null : this.#slots.take(accountId ?? actorId);
    if (leave === null)
      throw new GatewayError('shedding', {
        message: `Too many ${this.#what} are open; close one of them.`,
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      });
    this.#byActor.set(actorId, own + 1);
    return () => {
      leave();
      this.#leave(actorId);
    };
  }

  #leave(actorId: string): void {
    const left = (this.#byActor.get(actorId) ?? 1) - 1;
    if (left === 0) this.#byActor.delete(actorId);
    else this.#byActor.set(actorId, left);
  }
}
