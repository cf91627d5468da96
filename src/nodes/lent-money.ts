/** What one call has of a node's shares. */
import type { Funds, Lent } from '../billing/lent/funds.ts';
import type { CallLease } from '../billing/ports.ts';
import { assert } from '../core/assert.ts';
import type { Clock } from '../core/clock.ts';
import { type Money, NO_MONEY } from '../core/money.ts';
import type { LeaseQueues } from './lease-queues.ts';
import type { LentPurse } from './lent-purse.ts';

export class LentMoney implements Lent {
  amount: Money;
  readonly purses: readonly LentPurse[];
  readonly lease: CallLease;
  isReleased = false;
  readonly #clock: Clock;
  readonly #queues: LeaseQueues;

  constructor(purses: readonly LentPurse[], amount: Money, lease: CallLease, clock: Clock, queues: LeaseQueues) {
    this.purses = purses;
    this.amount = amount;
    this.lease = lease;
    this.#clock = clock;
    this.#queues = queues;
  }

  get refused(): null {
    return null;
  }

  /** Narrows what `Funds.take` returned. */
  static of(lent: Parameters<Funds['takeMore']>[0]): LentMoney {
    assert(lent instanceof LentMoney, 'the money was lent here');
    return lent;
  }

  /** More was taken of each of its purses. False if the call has ended in the meantime: then that is free again. */
  grow(more: Money): boolean {
    if (this.isReleased) this.#free(more, NO_MONEY);
    else this.amount = (this.amount + more) as Money;
    return !this.isReleased;
  }

  release(charge: Money): void {
    assert(!this.isReleased, 'money is released once');
    this.isReleased = true;
    this.#free(this.amount, charge);
  }

  #free(amount: Money, charge: Money): void {
    const nowMs = this.#clock.monotonic();
    for (const purse of this.purses) purse.release(amount, charge, nowMs);
    for (const purse of this.purses) this.#queues.released(purse);
  }
}
