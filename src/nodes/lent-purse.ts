/** A node's share of one purse: what it was lent, what its calls spent and hold of it, and who waits for more. */

import type { Demand } from '../billing/demand.ts';
import { type Constraint, type Refusal, type Shortfall, shortfall } from '../billing/refusal.ts';
import { assert } from '../core/assert.ts';
import { BUDGET_WINDOWS, type Budgets, type BudgetWindow } from '../core/budget.ts';
import type { Timer } from '../core/clock.ts';
import { type Money, NO_MONEY } from '../core/money.ts';
import type { PurseRef, Share } from './ports.ts';
import { PurseUse } from './purse-use.ts';

/** Money is asked for again and again, because other nodes have it. */
export interface Shortage {
  readonly sinceMs: number;
  rounds: number;
  /** The least that a waiting call needs. Calls that need less are not concerned. */
  need: Money;
  retryAtMs: number;
  timer: Timer | null;
}

export class LentPurse {
  readonly ref: PurseRef;
  /** The limits as they are known; null for a balance. */
  budgets: Budgets | null;
  /** Lent in all, as long as the lease exists, less what was given back. */
  granted = 0n;
  /** Charged of it. */
  spent = 0n;
  /** Held by running calls. */
  held = 0n;
  /** Free at the bank, and lent to other nodes, when it last answered. */
  free = 0n;
  elsewhere = 0n;
  window: BudgetWindow | null = null;
  /** Counts answers of the bank about it. */
  answers = 0;
  /** The request about it that is under way: there is never more than one. */
  request: Promise<void> | null = null;
  /** The number of the last request about it. */
  lastSeq = 0;
  /** Whether the answer to an earlier request was lost, so that the bank may have lent more than is known. */
  isUnsure = false;
  /** Whether it was to be forgotten, and it is not known whether the bank has removed the lease. */
  isClosing = false;
  /** What no call holds is to be given back as soon as no request is under way. */
  isReturning = false;
  /** Whether the epoch is over under which it was lent. */
  isOver = false;
  /** Another node needs the money: until then nothing is asked for in advance. */
  recalledUntilMs = 0;
  /** Below that at hand, more is asked for in advance. */
  refillBelow = 0n;
  refillAfterMs = 0;
  /** The last refusal, and how long it counts for later calls; null after what may have changed it. */
  refusal: { readonly constraint: Constraint; readonly untilMs: number; readonly forMs: number } | null = null;
  shortage: Shortage | null = null;
  waiting: WaitingCall[] = [];
  /** Calls of this queue for which the bank is being asked. */
  asking = 0;
  /** Calls that wait in this queue or another one, and need money of this purse. */
  waiters = 0;
  /** What the waiting calls need together. */
  queued = 0n;
  readonly use: PurseUse;

  constructor(ref: PurseRef, budgets: Budgets | null, nowMs: number) {
    this.ref = ref;
    this.budgets = budgets;
    this.use = new PurseUse(nowMs);
  }

  /** What a call may take in one step. */
  get atHand(): Money {
    return (this.granted - this.spent - this.held) as Money;
  }

  /** At hand, or free at the bank a moment ago. */
  get reachable(): Money {
    return (this.free + this.atHand) as Money;
  }

  take(amount: Money, nowMs: number): void {
    this.held += amount;
    assert(this.held + this.spent <= this.granted, 'no call holds more than was lent');
    this.use.took(amount, this.held, nowMs);
  }

  release(amount: Money, charge: Money, nowMs: number): void {
    this.held -= amount;
    this.spent += charge;
    assert(this.held >= 0n, 'nothing is released twice');
    this.use.charged(charge, this.held, nowMs);
  }

  /** False if less is lent than calls have: the bank has lost what it knew, as after a restore to an earlier time. */
  answered({ granted, free, elsewhere, window }: Share): boolean {
    if (granted < this.spent + this.held) return false;
    this.granted = granted;
    this.free = free;
    this.elsewhere = elsewhere;
    this.window = window;
    this.answers += 1;
    this.isUnsure = false;
    return true;
  }

  /** What it would be good to have at hand, in addition to what calls hold. */
  wishAtHand(nowMs: number): bigint {
    const wish = this.use.wish(this.held, nowMs) - this.held;
    return wish > 0n ? wish : 0n;
  }

  /** Takes over the limits of a request. True if they are tighter: what is at hand was lent under looser ones. */
  seeBudgets(budgets: Budgets): boolean {
    const before = this.budgets;
    if (before === budgets) return false;
    this.budgets = budgets;
    if (before === null) return false;
    let isTighter = false;
    let isOther = false;
    for (const window of BUDGET_WINDOWS) {
      const [old, limit] = [before[window], budgets[window]];
      if (old === limit) continue;
      isOther = true;
      if (limit !== undefined && (old === undefined || limit < old)) isTighter = true;
    }
    if (isOther) this.refusal = null;
    if (isTighter) this.free = 0n;
    return isTighter;
  }

  constraint(): Constraint {
    const { window } = this;
    return {
      scope: this.ref.kind,
      window,
      available: this.reachable,
      whole: (this.free + this.granted - this.spent + this.elsewhere) as Money,
      elsewhere: this.elsewhere as Money,
      limit: window === null ? null : (this.budgets?.[window] ?? null),
    };
  }
}

/** A call that waits for money. */
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
  /** Whether it is served or refused. */
  isOver = false;
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

function tightestOf(purses: readonly LentPurse[]): LentPurse {
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
