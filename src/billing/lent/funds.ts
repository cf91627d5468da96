/** What the bank of one of several nodes takes money from: shares of balances and budgets that were lent to the node. */
import type { AccountId } from '../../core/ids.ts';
import type { Money } from '../../core/money.ts';
import type { HoldRequest } from '../bank.ts';
import type { Demand } from '../demand.ts';
import type { MoneyView } from '../money-view.ts';
import type { CallLease } from '../ports.ts';
import type { Refusal } from '../refusal.ts';

/** Money taken for one call, out of the shares of every purse that limits it. */
export interface Lent {
  /** Distinguishes it from a `Refusal`. */
  readonly refused: null;
  readonly amount: Money;
  readonly lease: CallLease;
  /** Once, when the call is settled: what it had is free again but for the charge. */
  release(charge: Money): void;
}

export interface Funds {
  /** What pages show, whichever node is asked. */
  readonly money: MoneyView;
  /** The UTC day (days since 1970) in whose windows a call counts that is admitted now. It never goes back. */
  today(): number;
  /** As what a call is settled that takes nothing. */
  leaseOfNone(request: HoldRequest): CallLease;
  /**
   * In one synchronous step if the shares of every purse cover the demand; otherwise a promise, because the bank is asked. Waits
   * at most about 600 ms for money that other nodes have, and 2 s for the bank. Never rejects: a bank that does not
   * answer is a refusal.
   */
  take(request: HoldRequest, demand: Demand): Lent | Refusal | Promise<Lent | Refusal>;
  /** Takes more for a call that has something already, like `take`. False, and nothing is taken, if there is not that much. */
  takeMore(lent: Lent, more: Money): boolean | Promise<boolean>;
  /** Why this much was not available a moment ago; null if that is not known. Asks nobody. */
  knownRefusal(request: HoldRequest, needed: Money): Refusal | null;
  /** Moves this much of an account's balance from the shares of nodes back to the bank. False if there is not that much. */
  collect(accountId: AccountId, amount: Money): Promise<boolean>;
  /** The account's money has changed: what is remembered of its refusals is no longer true. */
  changed(accountId: AccountId): void;
}
