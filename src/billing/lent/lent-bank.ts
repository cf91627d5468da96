/**
 * The bank of one of several nodes. It holds against the shares that the node was lent, in memory and in one step as long as they
 * suffice; what the balance is, only the database knows.
 */
import { assert } from '../../core/assert.ts';
import { type Money, NO_MONEY } from '../../core/money.ts';
import type { Settlement } from '../../core/settlement.ts';
import type { Bank, Hold, HoldRequest } from '../bank.ts';
import type { BillingMode } from '../billing-mode.ts';
import { amountAt, type Bound } from '../bound.ts';
import { CallRows, type CallRowsParts } from '../call-rows.ts';
import { Demand, leastOf } from '../demand.ts';
import type { NewEntry, PostAnswer } from '../entry.ts';
import { hasBudgets } from '../ledger-bank.ts';
import type { MoneyView } from '../money-view.ts';
import { OpenHold } from '../open-hold.ts';
import type { CallLease, NotePosted } from '../ports.ts';
import { ENTRY_MAX, postingRules } from '../posting-rules.ts';
import { type Refusal, UNWRITABLE } from '../refusal.ts';
import type { Funds, Lent } from './funds.ts';

export interface LentBankParts extends CallRowsParts {
  readonly funds: Funds;
}

/** A call that could cost more has a mistyped price; it is refused whatever the balance. */
const HOLD_MAX = ENTRY_MAX;
const LEAST_MONEY = 1n as Money;
/** How often the money of a debit is collected from the nodes, if calls take it before the debit is posted. */
const COLLECTED_MAX = 3;

export class LentBank extends CallRows implements Bank {
  readonly #funds: Funds;

  constructor(parts: LentBankParts) {
    super(parts);
    this.#funds = parts.funds;
  }

  get money(): MoneyView {
    return this.#funds.money;
  }

  hold(request: HoldRequest): Hold | Refusal | Promise<Hold | Refusal> {
    if (!this.isReady()) return UNWRITABLE;
    const { bound } = request;
    const demand = bound === null ? null : new Demand(bound);
    if (demand === null || demand.full === 0n) return this.#withoutMoney(request);
    if (demand.least > HOLD_MAX) return { refused: 'exceeds_ledger', needed: demand.least };
    const lent = this.#funds.take(request, demand);
    return lent instanceof Promise
      ? lent.then((taken) => this.#holdOf(request, demand, taken))
      : this.#holdOf(request, demand, lent);
  }

  checkAffordable(request: HoldRequest, bounds: readonly (Bound | null)[]): Refusal | null {
    const least = leastOf(bounds);
    return least === 0n ? null : this.#check(request, least);
  }

  askAffordable(request: HoldRequest, bounds: readonly (Bound | null)[]): Refusal | null | Promise<Refusal | null> {
    const least = leastOf(bounds);
    return least === 0n ? null : this.#ask(request, least);
  }

  checkNotEmpty(request: HoldRequest): Refusal | null | Promise<Refusal | null> {
    return this.#ask(request, LEAST_MONEY);
  }

  raise(hold: Hold, request: HoldRequest): boolean | Promise<boolean> {
    assert(hold instanceof LentHold, 'a hold comes from this bank');
    const open = hold;
    const { bound } = request;
    assert(!open.isFinished, 'a finished call tries no other target');
    if (bound === null) return true;
    const amount = amountAt(bound, open.outputCap ?? bound.outputCap);
    if (amount <= open.amount) return true;
    if (amount > HOLD_MAX) return false;
    // What is left of an earlier day's budgets, in which the call counts, is no longer known.
    if (open.day !== this.#funds.today() && hasBudgets(request)) return false;
    return this.#takeMore(open, request, amount);
  }

  async post(entry: NewEntry, note?: NotePosted): Promise<PostAnswer> {
    const rules = postingRules(entry, this.mode, null);
    let answer = await this.store.post(entry, rules, note);
    for (let time = 1; answer.refused === 'exceeds_available' && time <= COLLECTED_MAX; time += 1) {
      if (!(await this.#funds.collect(entry.accountId, -entry.amount as Money))) break;
      answer = await this.store.post(entry, rules, note);
    }
    if (answer.refused === null) this.#funds.changed(entry.accountId);
    return answer;
  }

  protected released(hold: OpenHold, { charge }: Settlement): void {
    hold.release(charge);
  }

  /** Null if it is not known that `needed` is not available: a small share says nothing. */
  #check(request: HoldRequest, needed: Money): Refusal | null {
    return this.isReady() ? this.#funds.knownRefusal(request, needed) : UNWRITABLE;
  }

  /** Takes it, and gives it back: a node that does not have it of these purses asks as for a call. */
  #ask(request: HoldRequest, needed: Money): Refusal | null | Promise<Refusal | null> {
    if (!this.isReady()) return UNWRITABLE;
    const lent = this.#funds.take(request, Demand.of(needed));
    return lent instanceof Promise ? lent.then(givenBack) : givenBack(lent);
  }

  #withoutMoney(request: HoldRequest): Hold {
    return new LentHold(request.keyId, this.#funds.leaseOfNone(request), null, this.mode);
  }

  #holdOf(request: HoldRequest, demand: Demand, lent: Lent | Refusal): Hold | Refusal {
    if (lent.refused !== null) return lent;
    if (lent.amount > HOLD_MAX) {
      lent.release(NO_MONEY);
      return { refused: 'exceeds_ledger', needed: lent.amount };
    }
    const hold = new LentHold(request.keyId, lent.lease, lent, this.mode);
    if (lent.amount !== demand.full) hold.outputCap = demand.outputCap;
    return hold;
  }

  #takeMore(open: LentHold, request: HoldRequest, amount: Money): boolean | Promise<boolean> {
    const { lent } = open;
    // A call that holds nothing yet takes its first money as a new call does.
    if (lent === null) return this.#takeFirst(open, request, amount);
    const more = this.#funds.takeMore(lent, (amount - open.amount) as Money);
    return more instanceof Promise ? more.then((isTaken) => isTaken && open.grow()) : more && open.grow();
  }

  #takeFirst(open: LentHold, request: HoldRequest, amount: Money): boolean | Promise<boolean> {
    const lent = this.#funds.take(request, Demand.of(amount));
    return lent instanceof Promise ? lent.then((taken) => open.begin(taken)) : open.begin(lent);
  }
}

function givenBack(lent: Lent | Refusal): Refusal | null {
  if (lent.refused !== null) return lent;
  lent.release(NO_MONEY);
  return null;
}

/** A hold on shares. */
class LentHold extends OpenHold {
  lease: CallLease;
  /** Null while it holds nothing. */
  lent: Lent | null = null;
  readonly #isRecorded: boolean;

  constructor(keyId: number, lease: CallLease, lent: Lent | null, mode: BillingMode) {
    super(lease.day, keyId);
    this.lease = lease;
    this.lent = lent;
    this.#isRecorded = mode !== 'off';
    this.#show(lent?.amount ?? NO_MONEY);
  }

  /** It has taken its first money. False, and the money is given back, if the call has ended in the meantime. */
  begin(lent: Lent | Refusal): boolean {
    if (lent.refused !== null) return false;
    if (this.isFinished) {
      lent.release(NO_MONEY);
      return false;
    }
    this.lease = lent.lease;
    this.lent = lent;
    return this.grow();
  }

  /** It has taken more. What a call gets that has ended in the meantime is free again with the rest. */
  grow(): boolean {
    if (this.isFinished) return false;
    this.#show(this.lent?.amount ?? NO_MONEY);
    return true;
  }

  release(charge: Money): void {
    this.lent?.release(charge);
  }

  #show(amount: Money): void {
    this.amount = amount;
    this.recorded = this.#isRecorded ? amount : null;
  }
}
