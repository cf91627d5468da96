/** A node's share of one purse: what it was lent, what its calls spent and hold of it, and who waits for more. */

import type { Constraint } from '../billing/refusal.ts';
import { assert } from '../core/assert.ts';
import { BUDGET_WINDOWS, type Budgets, type BudgetWindow } from '../core/budget.ts';
import type { Timer } from '../core/clock.ts';
import type { Money } from '../core/money.ts';
import type { PurseRef, Share } from './ports.ts';
import { PurseUse } from './purse-use.ts';
import type { WaitingCall } from './waiting-call.ts';

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
  refusal: { readonly constraint: Constraint; readonly untilMs: number } | null = null;
  shortage: Shortage | null = null;
  waiting: WaitingCall[] = [];
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
      limit: window === null ? null : (this.budgets?.[window] ?? null),
    };
  }
}
