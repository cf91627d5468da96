/**
 * The ledger's entries other than those of calls: each is one transfer between two accounts of the ledger, written once and
 * never changed. The charge of a call is in its settlement.
 */
import type { AccountId, CallId, EntryId } from '../core/ids.ts';
import type { Money } from '../core/money.ts';

/**
 * `topup` and `promo` add money; an `adjustment` corrects in either direction; a `refund` returns what a call was charged, in
 * full at most; a `late_charge` is what a call is charged whose settlement arrived after its month was sealed, which happens with
 * several nodes only: the ledger itself posts it.
 */
export type EntryKind = 'topup' | 'promo' | 'adjustment' | 'refund' | 'late_charge';

/** Whether it changes what the account was charged; any other one changes what it was credited. */
export function isOfCharges(kind: EntryKind): boolean {
  return kind === 'refund' || kind === 'late_charge';
}

export interface NewEntry {
  readonly accountId: AccountId;
  readonly kind: EntryKind;
  /** From the customer's side: money added is positive. Only an adjustment and a late charge may be negative; never zero. */
  readonly amount: Money;
  /** The caller's own id of this entry: sent twice, it is posted once. Unique within the account. */
  readonly reference: string;
  /** The refunded call, or the one that is charged late; null for every other kind. */
  readonly callId: CallId | null;
  readonly note: string | null;
  /** Wall time, ms. */
  readonly at: number;
}

export interface PostedEntry extends NewEntry {
  readonly id: EntryId;
}

/**
 * Why an entry is not posted. An expected outcome, so billing returns it instead of throwing; the caller renders it with
 * `entryRefusalError`.
 */
export type EntryRefusal =
  /** The database went back to a time at which there was no such account, and this node does not know it yet. */
  | 'unknown_account'
  /** The reference belongs to another entry. */
  | 'reference_taken'
  /** No balance is kept. */
  | 'billing_off'
  | 'exceeds_entry_max'
  /** Zero, or a debit that is not an adjustment. */
  | 'not_positive'
  /** A refund of a call that this account did not make. */
  | 'unknown_call'
  /** A refund of more than the remaining charge of its call. */
  | 'exceeds_charge'
  /**
   * A sum of the account would come near the limit of 64 bits in nano-USD, where a database would continue with an inexact
   * number.
   */
  | 'exceeds_sum_max'
  /** A debit of more than is available. */
  | 'exceeds_available';

/** `isNew` is false for an entry that was posted before, under the same reference. */
export type PostAnswer =
  | { readonly refused: null; readonly entry: PostedEntry; readonly isNew: boolean }
  | { readonly refused: EntryRefusal };
