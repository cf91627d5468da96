/** The bank of one node: every balance is in memory, and the ledger's store is the source of truth. */
import { assert } from '../core/assert.ts';
import { BUDGET_WINDOWS, type Budgets } from '../core/budget.ts';
import type { Clock } from '../core/clock.ts';
import type { CallId } from '../core/ids.ts';
import { type Money, NO_MONEY } from '../core/money.ts';
import type { Settlement } from '../core/settlement.ts';
import { NO_USAGE } from '../core/usage.ts';
import type { Bank, Hold, HoldRequest } from './bank.ts';
import type { BillingMode } from './billing-mode.ts';
import { amountAt, type Bound } from './bound.ts';
import type { NewEntry, PostAnswer } from './entry.ts';
import { OpenHold, openHold } from './open-hold.ts';
import type { LedgerStore, LoadedLedger, NotePosted, ReplayRow, StoredId } from './ports.ts';
import { ENTRY_MAX } from './posting-rules.ts';
import { Postings } from './postings.ts';
import { Purses } from './purses.ts';
import { type Constraint, type Refusal, shortfall, UNWRITABLE } from './refusal.ts';
import type { Scope, Spending } from './spending.ts';

export interface LedgerBankParts {
  readonly store: LedgerStore;
  readonly loaded: LoadedLedger;
  readonly mode: BillingMode;
  readonly clock: Clock;
  /** Whether the disk accepts rows; nothing is admitted while it does not. */
  readonly isWritable: () => boolean;
}

/** A call that could cost more has a mistyped price; it is refused whatever the balance. */
const HOLD_MAX = ENTRY_MAX;
/** A lowered cap takes one part in this many of what is left, so that concurrent calls all get some. */
const LOWERED_SHARE = 8n;
/** A lowered cap leaves at least this many tokens of an answer; the Responses format refuses a cap below 16. */
const LOWERED_CAP_MIN = 256;
const PICO_PER_NANO = 1000n;
const LEAST_MONEY = 1n as Money;

export class LedgerBank implements Bank {
  readonly mode: BillingMode;
  readonly money: Purses;
  readonly #store: LedgerStore;
  readonly #isWritable: () => boolean;
  /** Calls whose settlement row the disk refused; the crash rule settles them as soon as it accepts rows again. */
  readonly #unsettled = new Set<OpenHold>();
  readonly #postings: Postings;

  constructor(parts: LedgerBankParts) {
    const { loaded, clock } = parts;
    this.mode = parts.mode;
    this.money = new Purses(loaded, parts.mode, clock);
    this.#store = parts.store;
    this.#isWritable = parts.isWritable;
    this.#postings = new Postings(parts.store, parts.mode, loaded.lastEntry);
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

  checkNotEmpty(request: HoldRequest): Refusal | null {
    return this.#check(request, LEAST_MONEY);
  }

  raise(hold: Hold, request: HoldRequest): boolean {
    const open = openHold(hold);
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

  persistHold(hold: Hold, crashed: Settlement): Promise<void> | null {
    const open = openHold(hold);
    if (this.mode === 'off') return null;
    open.crashed = crashed;
    if (open.row === null) {
      open.row = this.#store.commit([{ type: 'hold', settlement: crashed }]);
      return open.row;
    }
    // Another target is tried: the first row is written or being written, and the hold is not durable without it.
    return Promise.all([open.row, this.#store.commit([{ type: 'checkpoint', settlement: crashed }])]).then(ignore);
  }

  checkpoint(hold: Hold, crashed: Settlement): void {
    const open = openHold(hold);
    if (open.row === null || open.isFinished) return;
    open.crashed = crashed;
    // Not awaited. If the disk refuses it, it will refuse the settlement row too, and that is reported.
    this.#store.commit([{ type: 'checkpoint', settlement: crashed }]).catch(ignore);
  }

  finish(
    hold: Hold,
    settlement: Settlement,
    replay: ReplayRow | null = null,
    stored: readonly StoredId[] | null = null,
  ): Promise<void> {
    const open = openHold(hold);
    assert(!open.isFinished, 'a call is finished once');
    assert(settlement.charge >= 0n && settlement.charge <= open.amount, 'a charge lies between nothing and the hold');
    open.isFinished = true;
    return this.#commitSettlement({ type: 'settlement', settlement, hadHold: open.row !== null, replay, stored }).then(
      () => this.#release(open, settlement),
      (error) => {
        this.#leaveUnsettled(open, settlement);
        throw error;
      },
    );
  }

  /** Rejects, and never throws: the hold of a settlement that is not written must be known. */
  #commitSettlement(row: Parameters<LedgerStore['commit']>[0][number]): Promise<void> {
    try {
      return this.#store.commit([row]);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  #release(hold: OpenHold, { charge, cost, ownCredential }: Settlement): void {
    hold.release(charge);
    if (ownCredential && cost !== null) this.money.addOwnCost(hold.keyId, cost, hold.day);
  }

  post(entry: NewEntry, note?: NotePosted): Promise<PostAnswer> {
    return this.#postings.post(entry, this.money.purse(entry.accountId), note);
  }

  /**
   * The disk refused the settlement row. Once it accepts rows again, the crash settlement is written, which mostly charges
   * nothing.
   */
  #leaveUnsettled(open: OpenHold, settlement: Settlement): void {
    open.crashed ??= {
      ...settlement,
      usage: NO_USAGE,
      usageSource: 'none',
      cost: NO_MONEY,
      charge: NO_MONEY,
      fault: NO_MONEY,
      variance: NO_MONEY,
      nodeLoss: NO_MONEY,
      saved: NO_MONEY,
      // That is what the caller got.
      ending: 'gateway_failed',
    };
    this.#unsettled.add(open);
  }

  /** An empty hold on what the call belongs to. Null while the disk refuses rows. */
  #open(request: HoldRequest): OpenHold | null {
    if (!this.#isWritable()) return null;
    if (this.#unsettled.size > 0) this.#settleAgain();
    if (this.#postings.isUnsure) this.#postings.settle();
    return new OpenHold(
      { day: this.money.today(), keyId: request.keyId },
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

  /**
   * Retries what the disk refused. Either the holds' rows were written or nothing was, so the crash rule says what is charged.
   */
  #settleAgain(): void {
    for (const hold of this.#unsettled) {
      this.#unsettled.delete(hold);
      void this.#settleByCrashRule(hold);
    }
  }

  /** Never rejects; the store reports what it refuses. */
  async #settleByCrashRule(hold: OpenHold): Promise<void> {
    const { crashed } = hold;
    assert(crashed !== null, 'a hold that is not settled knows its crash settlement');
    try {
      await this.#store.commit([{ type: 'settlement', settlement: crashed, hadHold: hold.row !== null, replay: null }]);
      this.#release(hold, crashed);
    } catch {
      // Checked before anything else is awaited: if the disk recovers later, it still refused this row.
      if (!this.#isWritable()) this.#unsettled.add(hold);
      else await this.#giveUp(hold, crashed.callId);
    }
  }

  /**
   * The row itself is invalid, and would be refused for ever. If the ledger already has another settlement of the call, that
   * one counts; otherwise the money stays held until the next start, which settles the stored hold.
   */
  async #giveUp(hold: OpenHold, callId: CallId): Promise<void> {
    const settled = await this.#store.chargeOf(callId).catch(() => null);
    if (settled !== null) hold.release(settled.charge);
  }
}

function hasBudgets({ keyBudgets, projectBudgets, accountBudgets }: HoldRequest): boolean {
  return keyBudgets !== undefined || projectBudgets !== undefined || accountBudgets !== undefined;
}

/**
 * The cap that a call is admitted with, in tokens. It is lowered if the caller set none and `full`, the amount at the full
 * cap, is more than half of what is available.
 */
function capWithin(bound: Bound, full: Money, available: Money): number {
  const { outputCap, perOutputToken } = bound;
  if (!bound.mayLower || perOutputToken === 0n || outputCap <= LOWERED_CAP_MIN || full <= available / 2n)
    return outputCap;
  const affordable = (available * PICO_PER_NANO - bound.fixed) / LOWERED_SHARE / perOutputToken;
  const lowered = affordable >= LOWERED_CAP_MIN ? Number(affordable) : LOWERED_CAP_MIN;
  return Math.min(lowered, outputCap);
}

/** The least that one of these would hold, at the lowest cap that is ever set; 0 if one of them is free or unknown. */
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
  // The failure is reported to the code that awaits the row.
}
