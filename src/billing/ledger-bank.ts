/** The bank of one node: the whole of every balance is at hand in memory, and the ledger's store keeps the truth. */
import { assert } from '../core/assert.ts';
import { BUDGET_WINDOWS, type Budgets, type BudgetWindow } from '../core/budget.ts';
import { dayOf } from '../core/calendar.ts';
import type { Clock } from '../core/clock.ts';
import type { AccountId, CallId } from '../core/ids.ts';
import { type Money, NO_MONEY } from '../core/money.ts';
import type { Settlement } from '../core/settlement.ts';
import { NO_USAGE } from '../core/usage.ts';
import type { Balance, Bank, Hold, HoldRequest } from './bank.ts';
import type { BillingMode } from './billing-mode.ts';
import { amountAt, type Bound } from './bound.ts';
import type { NewEntry, PostAnswer } from './entry.ts';
import { OpenHold, openHold } from './open-hold.ts';
import type { LedgerStore, LoadedLedger, ReplayRow } from './ports.ts';
import { ENTRY_MAX } from './posting-rules.ts';
import { Postings } from './postings.ts';
import { Purse } from './purse.ts';
import { type Constraint, type Refusal, shortfall, UNWRITABLE } from './refusal.ts';
import { type Scope, Spending } from './spending.ts';

export interface LedgerBankParts {
  readonly store: LedgerStore;
  readonly loaded: LoadedLedger;
  readonly mode: BillingMode;
  readonly clock: Clock;
  /** Whether the disk takes rows; nothing is admitted while it does not. */
  readonly isWritable: () => boolean;
}

/** A call that could cost more has a price that is a slip of the hand; no balance need be there to stop it. */
const HOLD_MAX = ENTRY_MAX;
/** A lowered cap takes this part of what is left, so that calls which come at once all find some. */
const LOWERED_SHARE = 8n;
/** A lowered cap leaves at least this many tokens of an answer. */
const LOWERED_CAP_MIN = 256;
const PICO_PER_NANO = 1000n;
const LEAST_MONEY = 1n as Money;

export class LedgerBank implements Bank {
  readonly mode: BillingMode;
  readonly #store: LedgerStore;
  readonly #clock: Clock;
  readonly #isWritable: () => boolean;
  readonly #purses = new Map<number, Purse>();
  readonly #spending: Record<Scope, Map<number, Spending>> = { key: new Map(), project: new Map(), account: new Map() };
  /** Calls whose settlement row the disk refused; they are settled by the crash rule as soon as it takes rows again. */
  readonly #stranded = new Set<OpenHold>();
  readonly #postings: Postings;
  /** The latest day seen: see `#today`. */
  #day: number;

  constructor(parts: LedgerBankParts) {
    const { loaded, clock } = parts;
    this.mode = parts.mode;
    this.#store = parts.store;
    this.#clock = clock;
    this.#isWritable = parts.isWritable;
    this.#postings = new Postings(parts.store, parts.mode, loaded.lastEntry);
    for (const [id, totals] of loaded.balances) this.#purses.set(id, new Purse(totals));
    const today = dayOf(clock.now());
    this.#day = today;
    const { keys, projects, accounts } = loaded.spent;
    for (const [id, spent] of keys) this.#spending.key.set(id, new Spending(today, spent));
    for (const [id, spent] of projects) this.#spending.project.set(id, new Spending(today, spent));
    for (const [id, spent] of accounts) this.#spending.account.set(id, new Spending(today, spent));
  }

  hold(request: HoldRequest): Hold | Refusal {
    const hold = this.#open(request);
    if (hold === null) return UNWRITABLE;
    const { bound } = request;
    let amount = NO_MONEY;
    if (bound !== null) {
      const full = amountAt(bound, bound.outputCap);
      // What is free is served even where a budget was lowered below what is spent.
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

  checkNotEmpty(request: HoldRequest): Refusal | null {
    return this.#check(request, LEAST_MONEY);
  }

  raise(hold: Hold, request: HoldRequest): boolean {
    const open = openHold(hold);
    const { bound } = request;
    assert(!open.isFinished, 'a call that has its end asks nobody else');
    if (bound === null) return true;
    const amount = amountAt(bound, open.outputCap ?? bound.outputCap);
    if (amount <= open.amount) return true;
    const more = (amount - open.amount) as Money;
    if (amount > HOLD_MAX || (this.mode === 'postpaid' && !open.purse.canOwe(more))) return false;
    // What is left of an earlier day's budgets, in which the call counts, nobody knows any more.
    if (open.day !== this.#today() && hasBudgets(request)) return false;
    const tightest = this.#tightest(open, request);
    if (tightest !== null && more > tightest.available) return false;
    open.amount = amount;
    if (open.recorded !== null) open.recorded = amount;
    open.take(more);
    return true;
  }

  persistHold(hold: Hold, crashed: Settlement): Promise<void> | null {
    const open = openHold(hold);
    if (this.mode === 'off') return null;
    open.crashed = crashed;
    if (open.row === null) {
      open.row = this.#store.commit([{ type: 'hold', settlement: crashed }]);
      return open.row;
    }
    // Another target is asked: the row is there already, or on its way, and the hold is not durable without it.
    return Promise.all([open.row, this.#store.commit([{ type: 'checkpoint', settlement: crashed }])]).then(ignore);
  }

  checkpoint(hold: Hold, crashed: Settlement): void {
    const open = openHold(hold);
    if (open.row === null || open.isFinished) return;
    open.crashed = crashed;
    // Nobody waits for it. A disk that refuses it tells whoever waits for the settlement row.
    this.#store.commit([{ type: 'checkpoint', settlement: crashed }]).catch(ignore);
  }

  finish(hold: Hold, settlement: Settlement, replay: ReplayRow | null = null): Promise<void> {
    const open = openHold(hold);
    assert(!open.isFinished, 'a call is finished once');
    assert(settlement.charge >= 0n && settlement.charge <= open.amount, 'a charge lies between nothing and the hold');
    open.isFinished = true;
    return this.#store.commit([{ type: 'settlement', settlement, hadHold: open.row !== null, replay }]).then(
      () => open.release(settlement.charge),
      (error) => {
        this.#strand(open, settlement);
        throw error;
      },
    );
  }

  balanceOf(accountId: AccountId): Balance | null {
    return this.mode === 'off' ? null : this.#purse(accountId).state();
  }

  spent(scope: Scope, id: number, window: BudgetWindow): Money {
    return this.#spending[scope].get(id)?.spent(window, this.#today()) ?? NO_MONEY;
  }

  heldBy(scope: Scope, id: number): Money {
    return (this.#spending[scope].get(id)?.held ?? NO_MONEY) as Money;
  }

  lastDay(scope: Scope, id: number): number | null {
    return this.#spending[scope].get(id)?.lastDay || null;
  }

  post(entry: NewEntry): Promise<PostAnswer> {
    return this.#postings.post(entry, this.#purse(entry.accountId));
  }

  /** The disk took no settlement row. Once it takes rows again, what a crash would have cost is written: most often nothing. */
  #strand(open: OpenHold, settlement: Settlement): void {
    open.crashed ??= {
      ...settlement,
      usage: NO_USAGE,
      usageSource: 'none',
      cost: NO_MONEY,
      charge: NO_MONEY,
      fault: NO_MONEY,
      variance: NO_MONEY,
      // Its caller was told so.
      ending: 'gateway_failed',
    };
    this.#stranded.add(open);
  }

  /** A hold of nothing, on the accounts that the call belongs to. Null while the disk takes no rows. */
  #open(request: HoldRequest): OpenHold | null {
    if (!this.#isWritable()) return null;
    if (this.#stranded.size > 0) this.#settleStranded();
    if (this.#postings.isUnsure) this.#postings.settle();
    return new OpenHold(
      this.#today(),
      this.#purse(request.accountId),
      this.#spent('key', request.keyId),
      this.#spent('project', request.projectId),
      this.#spent('account', request.accountId),
    );
  }

  /** Null where `needed` is available. */
  #check(request: HoldRequest, needed: Money): Refusal | null {
    const hold = this.#open(request);
    if (hold === null) return UNWRITABLE;
    const tightest = this.#tightest(hold, request);
    return tightest !== null && needed > tightest.available ? shortfall(tightest, needed) : null;
  }

  /** The one of balance and budgets that leaves the least; null where nothing binds. */
  #tightest(hold: OpenHold, request: HoldRequest): Constraint | null {
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
    tightest = this.#tighter(tightest, 'key', request.keyBudgets, hold.key);
    tightest = this.#tighter(tightest, 'project', request.projectBudgets, hold.project);
    return this.#tighter(tightest, 'account', request.accountBudgets, hold.account);
  }

  #tighter(
    tightest: Constraint | null,
    scope: Scope,
    budgets: Budgets | undefined,
    spending: Spending,
  ): Constraint | null {
    if (budgets === undefined) return tightest;
    let found = tightest;
    const today = this.#today();
    for (const window of BUDGET_WINDOWS) {
      const limit = budgets[window];
      if (limit === undefined) continue;
      const whole = (limit - spending.spent(window, today)) as Money;
      const available = (whole - spending.held) as Money;
      if (found === null || available < found.available) found = { scope, window, available, whole, limit };
    }
    return found;
  }

  /** What the disk refused: the holds' rows are there or nothing was, so the crash rule says what is charged. */
  #settleStranded(): void {
    for (const hold of this.#stranded) {
      this.#stranded.delete(hold);
      void this.#settleByCrashRule(hold);
    }
  }

  /** Never rejects; what the store refuses, it reports. */
  async #settleByCrashRule(hold: OpenHold): Promise<void> {
    const { crashed } = hold;
    assert(crashed !== null, 'a stranded hold knows its crash settlement');
    try {
      await this.#store.commit([{ type: 'settlement', settlement: crashed, hadHold: hold.row !== null, replay: null }]);
      hold.release(crashed.charge);
    } catch {
      // Looked at before anything else is waited for: a disk that comes back meanwhile did refuse the row.
      if (!this.#isWritable()) this.#stranded.add(hold);
      else await this.#giveUp(hold, crashed.callId);
    }
  }

  /**
   * The row is at fault, and would be refused for ever. Where the call has another end in the ledger already, that
   * one counts; else its money stays held until the next start, which settles the hold that is written.
   */
  async #giveUp(hold: OpenHold, callId: CallId): Promise<void> {
    const settled = await this.#store.chargeOf(callId).catch(() => null);
    if (settled !== null) hold.release(settled.charge);
  }

  /**
   * The day in which calls are admitted and counted. It never goes back: a clock that is set back would reopen a
   * window of which nobody knows any more what was spent, and would leave its budget without an end.
   */
  #today(): number {
    const day = dayOf(this.#clock.now());
    if (day > this.#day) this.#day = day;
    return this.#day;
  }

  #purse(id: number): Purse {
    let purse = this.#purses.get(id);
    if (purse === undefined) {
      purse = new Purse(null);
      this.#purses.set(id, purse);
    }
    return purse;
  }

  #spent(scope: Scope, id: number): Spending {
    let spending = this.#spending[scope].get(id);
    if (spending === undefined) {
      spending = new Spending(this.#today());
      this.#spending[scope].set(id, spending);
    }
    return spending;
  }
}

function hasBudgets({ keyBudgets, projectBudgets, accountBudgets }: HoldRequest): boolean {
  return keyBudgets !== undefined || projectBudgets !== undefined || accountBudgets !== undefined;
}

/**
 * The cap that a call is admitted with, in tokens: lowered where the caller gave none and `full`, its amount without that, is more
 * than half of what is available.
 */
function capWithin(bound: Bound, full: Money, available: Money): number {
  const { outputCap, perOutputToken } = bound;
  if (!bound.mayLower || perOutputToken === 0n || outputCap <= LOWERED_CAP_MIN || full <= available / 2n)
    return outputCap;
  const affordable = (available * PICO_PER_NANO - bound.fixed) / LOWERED_SHARE / perOutputToken;
  const lowered = affordable >= LOWERED_CAP_MIN ? Number(affordable) : LOWERED_CAP_MIN;
  return Math.min(lowered, outputCap);
}

/** The least that one of these would hold, under the lowest cap that is ever set; nothing where one of them is free or unknown. */
function leastOf(bounds: readonly (Bound | null)[]): Money {
  let least: Money | null = null;
  for (const bound of bounds) {
    if (bound === null) return NO_MONEY;
    const amount = amountAt(bound, Math.min(bound.outputCap, LOWERED_CAP_MIN));
    if (least === null || amount < least) least = amount;
  }
  return least ?? NO_MONEY;
}

function ignore(): void {
  // What failed is told to who waits for it.
}
