/**
 * Every call goes through the bank: `hold` before the provider is called, `finish` once at the end, however the call ended.
 * Nothing else charges an account, and only the bank releases holds.
 *
 * What is held and spent is in memory, and is checked and updated in one synchronous step, so concurrent calls cannot take
 * the same money twice. Memory follows the disk: a charge leaves the balance, and its hold is released, once the settlement
 * row is written. Of several nodes, each holds against shares of the balances that were lent to it.
 */
import type { Budgets } from '../core/budget.ts';
import type { AccountId, CallId, KeyId, ProjectId } from '../core/ids.ts';
import type { Money } from '../core/money.ts';
import type { Settlement } from '../core/settlement.ts';
import type { BillingMode } from './billing-mode.ts';
import type { Bound } from './bound.ts';
import type { NewEntry, PostAnswer } from './entry.ts';
import type { MoneyView } from './money-view.ts';
import type { NotePosted, ReplayRow, StoredId } from './ports.ts';
import type { Refusal } from './refusal.ts';

export interface HoldRequest {
  readonly callId: CallId;
  /** Wall time, ms: the call counts in the budget windows of this time. */
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
  /** Distinguishes it from a `Refusal`. */
  readonly refused: null;
  /** The charge is never larger. */
  readonly amount: Money;
  /** The amount in the settlement; null if no balance is kept. */
  readonly recorded: Money | null;
  /** The output cap that the call was admitted with, if it was lowered; otherwise null. */
  readonly outputCap: number | null;
}

export interface Bank {
  readonly mode: BillingMode;
  readonly money: MoneyView;
  /**
   * Atomic: nothing runs between the check and the update. Returns a promise only if a node must request money that it does
   * not have; a bank with every balance in memory never does.
   */
  hold(request: HoldRequest): Hold | Refusal | Promise<Hold | Refusal>;
  /**
   * A check in advance, which holds nothing: why not even the least that one of `bounds` would hold is available; null if it
   * is, or if the node would have to ask. Ignores `request.bound`.
   */
  checkAffordable(request: HoldRequest, bounds: readonly (Bound | null)[]): Refusal | null;
  /** The same, and the node asks for what it lacks, as for a call. Returns a promise only where `hold` would. */
  askAffordable(request: HoldRequest, bounds: readonly (Bound | null)[]): Refusal | null | Promise<Refusal | null>;
  /** Why nothing at all is available; null if something is. Holds nothing. Returns a promise only where `hold` would. */
  checkNotEmpty(request: HoldRequest): Refusal | null | Promise<Refusal | null>;
  /**
   * Raises a hold to what `request.bound` needs, for another target of the same call; a hold is never lowered. Returns false,
   * and changes nothing, if that much is not available, or if the call has budgets and was admitted on an earlier day, in
   * which it counts. Synchronous as far as `hold` is.
   */
  raise(hold: Hold, request: HoldRequest): boolean | Promise<boolean>;
  /**
   * Makes the hold durable; to be awaited before the first byte of a streamed answer, and called again when another target is
   * tried. `crashed` is the settlement that applies if the process dies. Null when there is nothing to wait for.
   */
  persistHold(hold: Hold, crashed: Settlement): Promise<void> | null;
  /** Records what was delivered so far, for the crash rule. Not awaited; losing a checkpoint does no harm. */
  checkpoint(hold: Hold, crashed: Settlement): void;
  /**
   * Resolves when the settlement row is durable, which must precede the answer's last byte. Rejects if the disk refuses it;
   * the hold then stays, and the crash rule settles it.
   */
  finish(
    hold: Hold,
    settlement: Settlement,
    replay?: ReplayRow | null,
    stored?: readonly StoredId[] | null,
  ): Promise<void>;
  /**
   * Posts an entry, once per reference; must not be called within a transaction. Rejects if the disk refuses it or `note`
   * throws: then nothing is posted.
   */
  post(entry: NewEntry, note?: NotePosted): Promise<PostAnswer>;
}
