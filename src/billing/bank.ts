/**
 * Every call goes through the bank: `hold` before the provider is called, `finish` once at the end,
 * whichever way it ended. Nothing else charges anybody, and nothing is given back by a call's own code.
 *
 * What is held and spent stands in memory and is looked at and taken in one synchronous step, so no number
 * of calls at once can take the same money twice. Memory follows the disk: a charge leaves the balance, and
 * its hold is released, once the settlement row is written.
 */
import type { Budgets } from '../core/budget.ts';
import type { AccountId, CallId, KeyId, ProjectId } from '../core/ids.ts';
import type { Money } from '../core/money.ts';
import type { Settlement } from '../core/settlement.ts';
import type { BillingMode } from './billing-mode.ts';
import type { Bound } from './bound.ts';
import type { NewEntry, PostAnswer } from './entry.ts';
import type { MoneyView } from './money-view.ts';
import type { NotePosted, ReplayRow } from './ports.ts';
import type { Refusal } from './refusal.ts';

export interface HoldRequest {
  readonly callId: CallId;
  /** Wall time, ms: the call belongs to the budget windows of this moment. */
  readonly admittedAt: number;
  readonly accountId: AccountId;
  readonly projectId: ProjectId;
  readonly keyId: KeyId;
  readonly keyBudgets: Budgets | undefined;
  readonly projectBudgets: Budgets | undefined;
  readonly accountBudgets: Budgets | undefined;
  /** Null when no target has a price: nothing is held. */
  readonly bound: Bound | null;
}

/** Money set aside for one call. */
export interface Hold {
  /** Tells it from a `Refusal`. */
  readonly refused: null;
  /** No charge is larger. */
  readonly amount: Money;
  /** As the settlement names it: null where no balance is kept. */
  readonly recorded: Money | null;
  /** The output cap the call was admitted with where it had to be lowered, else null. */
  readonly outputCap: number | null;
}

export interface Bank {
  readonly mode: BillingMode;
  readonly money: MoneyView;
  /**
   * All or nothing, and nothing comes between looking and taking. A promise only where a node has to ask for money that it does not
   * have at hand; a bank that has every balance in memory never answers one.
   */
  hold(request: HoldRequest): Hold | Refusal | Promise<Hold | Refusal>;
  /**
   * A look beforehand, which holds nothing: why not even the least that one of `bounds` would hold is available; null where it is.
   * `request.bound` is not looked at.
   */
  checkAffordable(request: HoldRequest, bounds: readonly (Bound | null)[]): Refusal | null;
  /** Why nothing at all is available any more; null where something is. Holds nothing. */
  checkNotEmpty(request: HoldRequest): Refusal | null;
  /**
   * Raises a hold to what `request.bound` asks for, for another target of the same call; a hold is never lowered. False where
   * that much is not available, or where the call has budgets and was admitted on an earlier day, in which it counts: then nothing
   * has changed. Synchronous, as `hold`.
   */
  raise(hold: Hold, request: HoldRequest): boolean;
  /**
   * Makes the hold durable: to be awaited before the first byte of an answer that is given piece by piece. Again where
   * another target is asked. `crashed` is the settlement that stands should the process die. Null when there is nothing to wait for.
   */
  persistHold(hold: Hold, crashed: Settlement): Promise<void> | null;
  /** What was delivered so far, for the crash rule. Waits for nothing; a checkpoint that is not written is not missed. */
  checkpoint(hold: Hold, crashed: Settlement): void;
  /**
   * Resolves when the settlement row is durable, which must precede the answer's last byte. Rejects when the
   * disk refuses; the hold stays then, and the crash rule settles it.
   */
  finish(hold: Hold, settlement: Settlement, replay?: ReplayRow | null): Promise<void>;
  /** Posts an entry, once per reference; never within a transaction. Rejects when the disk refuses, or `note` does: then nothing is posted. */
  post(entry: NewEntry, note?: NotePosted): Promise<PostAnswer>;
}
