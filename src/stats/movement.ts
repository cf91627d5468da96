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

/** Charges and entries each have an order of their own: a page goes on in both. Null begins with the newest. */
export interface MovementsCursor {
  readonly call: CallId | null;
  readonly entry: EntryId | null;
}

export interface Movement {
  /** Wall time, ms: of an entry when it was posted, of a charge when its call was admitted. */
  readonly at: number;
  readonly kind: 'charge' | 'topup' | 'promo' | 'adjustment' | 'refund';
  /** What leaves the balance is negative. */
  readonly amount: Money;
  /** Charged or refunded; null for other entries. */
  readonly callId: CallId | null;
  /** Of the call; null where it is none, or is in an archive. */
  readonly model: string | null;
  readonly keyId: KeyId | null;
  /** Null for a charge, as the two behind it. */
  readonly entryId: EntryId | null;
  readonly reference: string | null;
  readonly note: string | null;
}

export interface MovementsPage {
  /** Newest first. */
  readonly movements: readonly Movement[];
  /** Null at the end. */
  readonly next: MovementsCursor | null;
  /** How far back was looked, ms, where the time for one question was over; else null. */
  readonly searchedToMs: number | null;
}
