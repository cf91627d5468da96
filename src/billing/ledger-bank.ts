/** The bank of a process that has all money itself: every balance is in memory, and the ledger's store is the source of truth. */
import { assert } from '../core/assert.ts';
import { BUDGET_WINDOWS, type Budgets } from '../core/budget.ts';
import type { Clock } from '../core/clock.ts';
import { type Money, NO_MONEY } from '../core/money.ts';
import type { Settlement } from '../core/settlement.ts';
import type { Bank, Hold, HoldRequest } from './bank.ts';
import { amountAt, type Bound } from './bound.ts';
import { CallRows, type CallRowsParts } from './call-rows.ts';
import { capWithin, leastOf } from './demand.ts';
import type { NewEntry, PostAnswer } from './entry.ts';
import { OwnHold, ownHold } from './open-hold.ts';
import type { LoadedLedger, NotePosted } from './ports.ts';
import { ENTRY_MAX } from './posting-rules.ts';
import { Postings } from './postings.ts';
import { Purses } from './purses.ts';
import { type Constraint, type Refusal, shortfall, UNWRITABLE } from './refusal.ts';
import type { Scope, Spending } from './spending.ts';

export interface LedgerBankParts extends CallRowsParts {
  readonly loaded: LoadedLedger;
  readonly clock: Clock;
}

/** A call that could cost more has a mistyped price; it is refused whatever the balance. */
const HOLD_MAX = ENTRY_MAX;
const LEAST_MONEY = 1n as Money;

export class LedgerBank extends CallRows implements Bank {
  readonly money: Purses;
  readonly #postings: Postings;

  constructor(parts: LedgerBankParts) {
    super(parts);
    const { loaded, mode, clock } = parts;
    this.money = new Purses(loaded, mode, clock);
    this.#postings = new Postings(parts.store, mode, loaded.lastEntry);
  }

  hold(request: HoldRequest): Hold | Refusal {
    const hold = this.#open(request);
    if (hold === null) return UNWRITABLE;
    const { bound } = request;
    let amount = NO_MONEY;
    if (bound !== null) {
      const full = amountAt(bound, bound.outputCap);
      // Free calls are admitted even if a budget was lowered below what is spent.
      const tightest = full === 0n ? null : this.#tightest(hold, request);
      const outputCap = tightest === null ? bound.outputCap : capWithin(bound, full, tightest.available);
      const isLowered = outputCap !== bound.outputCap;
      amount = isLowered ? amountAt(bound, outputCap) : full;
      if (tightest !== null && amount > tightest.available) return shortfall(tightest, amount);
      if (isLowered) hold.outputCap = outputCap;
    }
    if (amount > HOLD_MAX || (this.mode === 'postpaid' && !hold.purse.canOwe(amount)))
      return { refused: 'exceeds_ledger', needed: amount };
    hold.amount = amount;
    hold.recorded = this.mode === 'off' ? null : amount;
    hold.take(amount);
    return hold;
  }

  checkAffordable(request: HoldRequest, bounds: readonly (Bound | null)[]): Refusal | null {
    const least = leastOf(bounds);
    return least === 0n ? null : this.#check(request, least);
  }

  askAffordable(request: HoldRequest, bounds: readonly (Bound | null)[]): Refusal | null {
    return this.checkAffordable(request, bounds);
  }

  checkNotEmpty(request: HoldRequest): Refusal | null {
    return this.#check(request, LEAST_MONEY);
  }

  raise(hold: Hold, request: HoldRequest): boolean {
    const open = ownHold(hold);
    const { bound } = request;
    assert(!open.isFinished, 'a finished call tries no other target');
    if (bound === null) return true;
    const amount = amountAt(bound, open.outputCap ?? bound.outputCap);
    if (amount <= open.amount) return true;
    const more = (amount - open.amount) as Money;
    if (amount > HOLD_MAX || (this.mode === 'postpaid' && !open.purse.canOwe(more))) return false;
    // What is left of an earlier day's budgets, in which the call counts, is no longer known.
    if (open.day !== this.money.today() && hasBudgets(request)) return false;
    const tightest = this.#tightest(open, request);
    if (tightest !== null && more > tightest.available) return false;
    open.amount = amount;
    if (open.recorded !== null) open.recorded = amount;
    open.take(more);
    return true;
  }

  protected released(hold: OwnHold, { charge, cost, ownCredential }: Settlement): void {
    hold.release(charge);
    if (ownCredential && cost !== null) this.money.addOwnCost(hold.keyId, cost, hold.day);
  }

  post(entry: NewEntry, note?: NotePosted): Promise<PostAnswer> {
    return this.#postings.post(entry, this.money.purse(entry.accountId), note);
  }

  /** An empty hold on what the call belongs to. Null while the disk refuses rows. */
  #open(request: HoldRequest): OwnHold | null {
    if (!this.isReady()) return null;
    if (this.#postings.isUnsure) this.#postings.settle();
    return new OwnHold(
      this.money.today(),
      request.keyId,
      this.money.purse(request.accountId),
      this.money.spending('key', request.keyId),
      this.money.spending('project', request.projectId),
      this.money.spending('account', request.accountId),
    );
  }

  /** Null if `needed` is available. */
  #check(request: HoldRequest, needed: Money): Refusal | null {
    const hold = this.#open(request);
    if (hold === null) return UNWRITABLE;
    const tightest = this.#tightest(hold, request);
    return tightest !== null && needed > tightest.available ? shortfall(tightest, needed) : null;
  }

  /** The balance or budget that leaves the least; null without any limit. A call with budgets counts today: see `raise`. */
  #tightest(hold: OwnHold, request: HoldRequest): Constraint | null {
    let tightest: Constraint | null = null;
    if (this.mode === 'prepaid') {
      const { purse } = hold;
      tightest = {
        scope: 'balance',
        window: null,
        available: purse.available,
        whole: purse.balance as Money,
        limit: null,
      };
    }
    tightest = this.#tighter(tightest, 'key', request.keyBudgets, hold.key, hold.day);
    tightest = this.#tighter(tightest, 'project', request.projectBudgets, hold.project, hold.day);
    return this.#tighter(tightest, 'account', request.accountBudgets, hold.account, hold.day);
  }

  #tighter(
    tightest: Constraint | null,
    scope: Scope,
    budgets: Budgets | undefined,
    spending: Spending,
    today: number,
  ): Constraint | null {
    if (budgets === undefined) return tightest;
    let found = tightest;
    for (const window of BUDGET_WINDOWS) {
      const limit = budgets[window];
      if (limit === undefined) continue;
      const whole = (limit - spending.spent(window, today)) as Money;
      const available = (whole - spending.held) as Money;
      if (found === null || available < found.available) found = { scope, window, available, whole, limit };
    }
    return found;
  }
}

/** Whether a budget limits the call. */
export function hasBudgets({ keyBudgets, projectBudgets, accountBudgets }: HoldRequest): boolean {
  return keyBudgets !== undefined || projectBudgets !== undefined || accountBudgets !== undefined;
}
