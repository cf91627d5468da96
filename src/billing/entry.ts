/**
 * The ledger's entries beside those of calls: each is one transfer between two accounts of the ledger,
 * written once and never changed. What a call moves stands in its settlement.
 */
import type { AccountId, CallId, EntryId } from '../core/ids.ts';
import type { Money } from '../core/money.ts';

/**
 * `topup` and `promo` bring money in; an `adjustment` corrects in either direction; a `refund` gives
 * back what a call was charged, at most once in full.
 */
export type EntryKind = 'topup' | 'promo' | 'adjustment' | 'refund';

/** Accounts of the ledger: the customer's two, and the operator's. */
export type LedgerAccount =
  | 'available'
  | 'held'
  | 'revenue'
  | 'topup'
  | 'promo'
  | 'adjustment'
  | 'expense:upstream_fault'
  | 'expense:variance';

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

/** Where an entry's money comes from and goes to; the amount that moves is positive. */
export function transferOf(entry: Pick<NewEntry, 'kind' | 'amount'>): {
  readonly debit: LedgerAccount;
  readonly credit: LedgerAccount;
  readonly amount: Money;
} {
  const source: LedgerAccount = entry.kind === 'refund' ? 'revenue' : entry.kind;
  if (entry.amount >= 0n) return { debit: source, credit: 'available', amount: entry.amount };
  return { debit: 'available', credit: source, amount: -entry.amount as Money };
}
