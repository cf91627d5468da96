/**
 * The ledger's entries other than those of calls: each is one transfer between two accounts of the ledger,
 * written once and never changed. What a call moves stands in its settlement.
 */
import type { AccountId, CallId, EntryId } from '../core/ids.ts';
import type { Money } from '../core/money.ts';

/**
 * `topup` and `promo` bring money in; an `adjustment` corrects in either direction; a `refund` gives
 * back what a call was charged, at most once in full.
 */
export type EntryKind = 'topup' | 'promo' | 'adjustment' | 'refund';

export interface NewEntry {
  readonly accountId: AccountId;
  readonly kind: EntryKind;
  /** From the customer's side: what comes in is positive. Only an adjustment may be negative; never zero. */
  readonly amount: Money;
  /** The caller's own id of this entry: sent twice, it is posted once. Unique within the account. */
  readonly reference: string;
  /** The call that is refunded; null for every other kind. */
  readonly callId: CallId | null;
  readonly note: string | null;
  /** Wall time, ms. */
  readonly at: number;
}

export interface PostedEntry extends NewEntry {
  readonly id: EntryId;
}

/** Why an entry is not posted. Expected, so nothing throws it within billing: whoever asked renders it with `entryRefusalError`. */
export type EntryRefusal =
  /** The reference stands for another entry. */
  | 'reference_taken'
  /** No balance is kept. */
  | 'billing_off'
  | 'exceeds_entry_max'
  /** Of nothing, or a debit that is no adjustment. */
  | 'not_positive'
  /** A refund of a call that this account did not make. */
  | 'unknown_call'
  /** A refund of more than is left of its call's charge. */
  | 'exceeds_charge'
  /** A sum of the account would come near the end of what 64 bits hold in nano-USD: a database would go on with an inexact number. */
  | 'exceeds_sum_max'
  /** A debit of more than nobody holds. */
  | 'exceeds_available';

/** `isNew` is false for an entry that was posted before, under the same reference. */
export type PostAnswer =
  | { readonly refused: null; readonly entry: PostedEntry; readonly isNew: boolean }
  | { readonly refused: EntryRefusal };
