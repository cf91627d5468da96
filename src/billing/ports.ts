/** What billing asks of a storage. */
import type { PricedTarget, Prices } from '../catalog/model.ts';
import type { AccountId, CallId, EntryId, KeyId, PriceVersionId, ProjectId } from '../core/ids.ts';
import type { Money } from '../core/money.ts';
import type { Settlement } from '../core/settlement.ts';
import type { EntryRefusal, NewEntry, PostAnswer, PostedEntry } from './entry.ts';

export type { PricedTarget, Prices } from '../catalog/model.ts';
export type { EntryKind, NewEntry, PostAnswer, PostedEntry } from './entry.ts';

/**
 * A row of the group commit. A hold is written as the settlement that stands should the process die:
 * ending `gateway_crashed`, with what was delivered so far. A checkpoint replaces it, a settlement row ends it.
 */
export type LedgerRow =
  | { readonly type: 'hold'; readonly settlement: Settlement }
  | { readonly type: 'checkpoint'; readonly settlement: Settlement }
  | {
      readonly type: 'settlement';
      readonly settlement: Settlement;
      /** Whether a hold of the call may have been written, which is deleted with this row. */
      readonly hadHold: boolean;
      /** What is kept under the caller's idempotency key, in the same transaction; null where there is none. */
      readonly replay: ReplayRow | null;
    };

/** An answer kept for a caller that sends the same request again. */
export interface ReplayRow {
  readonly projectId: ProjectId;
  /** 32 bytes: a keyed digest of the caller's idempotency key. */
  readonly keyDigest: Uint8Array;
  /** 32 bytes: a keyed digest of route and body. */
  readonly bodyDigest: Uint8Array;
  readonly callId: CallId;
  /** Wall time, ms. */
  readonly createdAt: number;
  readonly expiresAt: number;
  /** The sealed answer; null where none is kept: it was streamed, is too large, or there was no room. */
  readonly answer: Uint8Array | null;
}

/** A row as it is read, without its answer. */
export interface KeptReplay extends Omit<ReplayRow, 'answer'> {
  /** Length of the sealed answer; 0 where none is kept. */
  readonly answerBytes: number;
}

export interface LedgerStore {
  /**
   * Resolves when the rows have reached the operating system (they survive `kill -9`). A settlement row
   * writes the settlement, takes its charge from the account's balance, adds it to the rollups of its hour
   * and day, and deletes the hold: all in one transaction. A call has one settlement row; another is an
   * error, the same once more is done already. Rejects when the disk refuses; then none of the rows counts.
   */
  commit(rows: readonly LedgerRow[]): Promise<void>;
  /**
   * Writes an entry and moves the account's balance, in one transaction that sees no other entry of the account come between.
   * Where the account has an entry of this reference already, that one is the answer if it says the same, and the rules are not
   * asked; else the entry is refused. What is refused changes nothing. Rejects when the disk refuses: whether the entry
   * stands then, `entry` says. `note` is asked of a new entry within the transaction, which is undone where it throws.
   */
  post(entry: NewEntry, rules: PostingRules, note?: NotePosted): Promise<PostAnswer>;
  /** The account's entry of this reference, or null. Sees what became of every `post` that was asked for before. */
  entry(accountId: AccountId, reference: string): Promise<PostedEntry | null>;
  /** What the account is charged for a call, and what of it was given back; null when the call is unknown. */
  chargeOf(callId: CallId): Promise<ChargedCall | null>;
  /** The last month whose rows are in an archive, `2026-10`; null when none are. Within a transaction it stays so until the end. */
  sealedThrough(): Promise<string | null>;
  /** Of one account, newest first, before the entry `before`. */
  entries(
    accountId: AccountId,
    page: { readonly before: EntryId | null; readonly limit: number },
  ): Promise<readonly PostedEntry[]>;
  /** All that the bank keeps in memory, read once at start. No hold is open then: see `recovered`. */
  load(): Promise<LoadedLedger>;
  /** How many holds of the last run were settled by the crash rule when the storage was opened. */
  readonly recovered: number;
  /** The answers kept and not expired at `nowMs`; expired ones are deleted. */
  replays(nowMs: number): AsyncIterable<KeptReplay>;
  replayAnswer(callId: CallId): Promise<Uint8Array | null>;
}

/** Writes down, in its transaction, that an entry was posted. */
export type NotePosted = (entry: PostedEntry) => Promise<void>;

/** Why an entry may not be posted, or null: asked within the transaction that is to write it, so it must not wait for anything. */
export type PostingRules = (standing: LedgerStanding) => EntryRefusal | null;

export interface LedgerStanding {
  /** Of the entry's account. */
  readonly totals: AccountTotals;
  /** The call that the entry names; null where it names none, or the ledger knows no such call. */
  readonly call: ChargedCall | null;
}

export interface ChargedCall {
  readonly accountId: AccountId;
  readonly charge: Money;
  readonly refunded: Money;
}

export interface LoadedLedger {
  readonly balances: ReadonlyMap<AccountId, AccountTotals>;
  /** The latest that is in `balances`; null for none. */
  readonly lastEntry: EntryId | null;
  /** What each key, project and account has spent; one that spent nothing is absent. */
  readonly spent: {
    readonly keys: ReadonlyMap<KeyId, SpentSoFar>;
    readonly projects: ReadonlyMap<ProjectId, SpentSoFar>;
    readonly accounts: ReadonlyMap<AccountId, SpentSoFar>;
  };
}

export interface AccountTotals {
  readonly balance: Money;
  /** Everything ever credited (top-ups, promos, adjustments upwards), and everything ever charged less refunds. */
  readonly credited: Money;
  readonly charged: Money;
}

/** Sums of charges of calls admitted in the UTC day `day` (days since 1970), its week from Monday, its month, and ever. */
export interface SpentSoFar {
  readonly day: number;
  readonly today: Money;
  readonly week: Money;
  readonly month: Money;
  readonly total: Money;
  /** Calls admitted in `day`. */
  readonly callsToday: number;
  /** The last UTC day in which a call was admitted. */
  readonly lastDay: number;
}

export interface PriceStore {
  /**
   * The ids of the versions of exactly these prices for these targets, in the order given; a
   * version is made only where the target's latest one differs. One transaction for them all.
   */
  pin(targets: readonly PricedTarget[]): Promise<readonly PriceVersionId[]>;
  /** The prices of a version; null when there is none. */
  read(id: PriceVersionId): Promise<Prices | null>;
}
