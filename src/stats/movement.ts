/** What moved the balance of an account: charges of calls, and entries. */
import type { AccountId, CallId, EntryId, KeyId } from '../core/ids.ts';
import type { Money } from '../core/money.ts';

export interface MovementsQuery {
  readonly accountId: AccountId;
  readonly kind: 'all' | 'charges' | 'entries';
  /** Ms; the end is not included. */
  readonly fromMs: number | null;
  readonly toMs: number | null;
  readonly before: MovementsCursor | null;
  readonly limit: number;
}

/** Charges and entries are ordered separately; a page continues in both. Null begins with the newest. */
export interface MovementsCursor {
  readonly call: CallId | null;
  readonly entry: EntryId | null;
}

export interface Movement {
  /** Wall time, ms: when the entry was posted, or the charged call was admitted. */
  readonly at: number;
  readonly kind: 'charge' | 'topup' | 'promo' | 'adjustment' | 'refund' | 'late_charge';
  /** Negative if it lowers the balance. */
  readonly amount: Money;
  /** The call that was charged, late or not, or refunded; null for other entries. */
  readonly callId: CallId | null;
  /** The call's model; null without a call, or if the call is in an archive. */
  readonly model: string | null;
  readonly keyId: KeyId | null;
  /** Null for a charge, like the next two fields. */
  readonly entryId: EntryId | null;
  readonly reference: string | null;
  readonly note: string | null;
}

export interface MovementsPage {
  /** Newest first. */
  readonly movements: readonly Movement[];
  /** Null at the end. */
  readonly next: MovementsCursor | null;
  /** How far back the search got, ms, if the time for one query ran out; otherwise null. */
  readonly searchedToMs: number | null;
}
