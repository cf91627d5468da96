/** A call that waits for money. */
import type { Demand } from '../billing/demand.ts';
import { type Refusal, type Shortfall, shortfall } from '../billing/refusal.ts';
import { type Money, NO_MONEY } from '../core/money.ts';
import type { LentPurse } from './lent-purse.ts';

export class WaitingCall {
  /** Every purse that limits the call, in the order of the bank's kinds. */
  readonly purses: readonly LentPurse[];
  readonly demand: Demand;
  /** The purse in whose queue it waits: the narrowest that was short. */
  readonly home: LentPurse;
  /** Resolves with what was taken, or why not. */
  readonly done: Promise<Money | Refusal>;
  readonly settle: (outcome: Money | Refusal) => void;
  /** Whether the call has ended in the meantime. */
  readonly isGone: () => boolean;
  /** Whether it waits for a request, its own or another call's. */
  isPending = false;
  /** Whether the bank was asked for it. */
  isAsked = false;
  readonly #answersBefore: number;

  constructor(purses: readonly LentPurse[], demand: Demand, home: LentPurse, isGone: () => boolean) {
    const { promise, resolve } = Promise.withResolvers<Money | Refusal>();
    this.purses = purses;
    this.demand = demand;
    this.home = home;
    this.done = promise;
    this.settle = resolve;
    this.isGone = isGone;
    this.#answersBefore = home.answers;
  }

  /** Whether the bank has answered since it waits: before that, a small share says nothing about what there is. */
  get wasAsked(): boolean {
    return this.isAsked || this.home.answers > this.#answersBefore;
  }

  /** What is asked for: everything at first, then what fits into what there is. */
  target(): Money {
    return this.wasAsked ? this.demand.within(reachableOf(this.purses)) : this.demand.full;
  }

  /** Why it is refused, and by which purse: the one that leaves the least. */
  refusal(): { readonly purse: LentPurse; readonly refusal: Shortfall } {
    const purse = tightestOf(this.purses);
    return { purse, refusal: shortfall(purse.constraint(), this.demand.within(purse.reachable)) };
  }
}

/** What a call takes of these purses now; null if it has to wait. */
export function amountNow(purses: readonly LentPurse[], demand: Demand, wasAsked: boolean): Money | null {
  const atHand = atHandOf(purses);
  const { full } = demand;
  if (full > atHand && !wasAsked) return null;
  const amount = demand.mayShrink ? demand.within(reachableOf(purses)) : full;
  if (amount > atHand || (amount !== full && !wasAsked)) return null;
  return amount;
}

export function tightestOf(purses: readonly LentPurse[]): LentPurse {
  let tightest: LentPurse | null = null;
  for (const purse of purses) if (tightest === null || purse.reachable < tightest.reachable) tightest = purse;
  if (tightest === null) throw new Error('a call that waits has a purse');
  return tightest;
}

function atHandOf(purses: readonly LentPurse[]): Money {
  let least: Money | null = null;
  for (const { atHand } of purses) if (least === null || atHand < least) least = atHand;
  return least ?? NO_MONEY;
}

function reachableOf(purses: readonly LentPurse[]): Money {
  let least: Money | null = null;
  for (const { reachable } of purses) if (least === null || reachable < least) least = reachable;
  return least ?? NO_MONEY;
}
