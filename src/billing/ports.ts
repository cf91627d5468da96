/** What billing needs from a storage. */
import type { PricedTarget, Prices } from '../catalog/model.ts';
import type { AccountId, CallId, EntryId, KeyId, PriceVersionId, ProjectId } from '../core/ids.ts';
import type { Money } from '../core/money.ts';
import type { Settlement } from '../core/settlement.ts';
import type { EntryRefusal, NewEntry, PostAnswer, PostedEntry } from './entry.ts';

export type { PricedTarget, Prices } from '../catalog/model.ts';
export type { EntryKind, NewEntry, PostAnswer, PostedEntry } from './entry.ts';

/**
 * A row of the group commit. A hold is written as the settlement that applies if the process dies:
 * ending `gateway_crashed`, with what was delivered so far. A checkpoint replaces it, a settlement row removes it.
 */
export type LedgerRow =
  | { readonly type: 'hold'; readonly settlement: Settlement; readonly lease?: CallLease | null }
  | { readonly type: 'checkpoint'; readonly settlement: Settlement; readonly lease?: CallLease | null }
  | {
      readonly type: 'settlement';
      readonly settlement: Settlement;
      /** Whether a hold of the call may have been written, which is deleted with this row. */
      readonly hadHold: boolean;
      /** What is stored under the caller's idempotency key, in the same transaction; null without a key. */
      readonly replay: ReplayRow | null;
      /** What the provider has stored of the answer, remembered in the same transaction; absent if nothing. */
      readonly stored?: readonly StoredId[] | null;
      readonly lease?: CallLease | null;
    };

/** As what the money of a call was lent to this node; absent if the process has all money itself. */
export interface CallLease {
  /** The node's epoch when the call was admitted. */
  readonly epoch: number;
  /** The root of the key's chain of rotations. */
  readonly rootId: KeyId;
  /** The sum of those whose budgets limited the call: 1 the key's, 2 the project's, 4 the account's. */
  readonly budgets: number;
  /** The UTC day (days since 1970) in whose windows the call counts: mostly that of its admission, or the day after. */
  readonly day: number;
}

/** Something of a call that its provider keeps: the answer, or an item of it. Only its project may name it. */
export interface StoredId {
  readonly projectId: ProjectId;
  /** 16 bytes: a digest of the provider's id. */
  readonly digest: Uint8Array;
  /** The name of the provider, and the model's name there. */
  readonly provider: string;
  readonly upstreamModel: string;
  /** The credential that its call used: the mark of one of the operator's, or `own:<id>`; null if that is not known, or there was none. */
  readonly credential: string | null;
  /** Wall time, ms. */
  readonly createdAt: number;
}

/** A stored answer, for a caller that sends the same request again. */
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
  /** The sealed answer; null if none is stored: it was streamed or too large, or there was no space. */
  readonly answer: Uint8Array | null;
}

/** A row as it is read, without its answer. */
export interface KeptReplay extends Omit<ReplayRow, 'answer'> {
  /** Length of the sealed answer; 0 if none is stored. */
  readonly answerBytes: number;
}

export interface LedgerStore {
  /**
   * Resolves when the rows have reached the operating system (they survive `kill -9`). A settlement row writes the
   * settlement, takes its charge from the account's balance, adds it to the rollups of its hour and day, and deletes the
   * hold: all in one transaction. A call has one settlement row; a different one is an error, and writing the same one again
   * changes nothing. Rejects if the disk refuses; then none of the rows counts.
   */
  commit(rows: readonly LedgerRow[]): Promise<void>;
  /**
   * Writes an entry and changes the account's balance, in one transaction that is serialised with the account's other
   * entries. If the account already has an entry with this reference, it is returned if its content is the same, without
   * checking the rules; otherwise the new entry is refused. A refusal changes nothing. Rejects if the disk refuses; `entry`
   * then shows whether the entry was written. `note` is called for a new entry within the transaction, which is rolled back
   * if it throws.
   */
  post(entry: NewEntry, rules: PostingRules, note?: NotePosted): Promise<PostAnswer>;
  /** The account's entry with this reference, or null. Sees the outcome of every earlier `post`. */
  entry(accountId: AccountId, reference: string): Promise<PostedEntry | null>;
  /** What the account was charged for a call, and how much of it was refunded; null if the call is unknown. */
  chargeOf(callId: CallId): Promise<ChargedCall | null>;
  /** The last month whose rows are in an archive, `2026-10`; null if there is none. It does not change within a transaction. */
  sealedThrough(): Promise<string | null>;
  /** An account's entries, newest first, before the entry `before`. */
  entries(
    accountId: AccountId,
    page: { readonly before: EntryId | null; readonly limit: number },
  ): Promise<readonly PostedEntry[]>;
  /** Everything the bank keeps in memory, read once at the start, when no hold is open: see `recovered`. */
  load(): Promise<LoadedLedger>;
  /** How many holds of the last run were settled by the crash rule when the storage was opened. */
  readonly recovered: number;
  /** The stored answers that have not expired at `nowMs`; expired ones are deleted. */
  replays(nowMs: number): AsyncIterable<KeptReplay>;
  replayAnswer(callId: CallId): Promise<Uint8Array | null>;
  /** Of these ids the ones that a call of this project has stored, in any order. */
  storedIds(projectId: ProjectId, digests: readonly Uint8Array[]): Promise<readonly StoredId[]>;
  forgetStored(projectId: ProjectId, digest: Uint8Array): Promise<void>;
  /** Forgets what was stored before this time, ms. */
  forgetStoredBefore(ms: number): Promise<void>;
}

/** Records, in the same transaction, that an entry was posted. */
export type NotePosted = (entry: PostedEntry) => Promise<void>;

/** Why an entry may not be posted, or null. Called within the transaction that would write it, so it is synchronous. */
export type PostingRules = (standing: LedgerStanding) => EntryRefusal | null;

export interface LedgerStanding {
  /** The totals of the entry's account. */
  readonly totals: AccountTotals;
  /** What of the balance is not lent to nodes, if it can be lent: a debit takes no more. */
  readonly free?: Money;
  /** The call that the entry refers to; null if there is none, or it is unknown to the ledger. */
  readonly call: ChargedCall | null;
}

export interface ChargedCall {
  readonly accountId: AccountId;
  readonly charge: Money;
  readonly refunded: Money;
}

export interface LoadedLedger {
  readonly balances: ReadonlyMap<AccountId, AccountTotals>;
  /** The latest entry included in `balances`; null for none. */
  readonly lastEntry: EntryId | null;
  /** What each key, project and account has spent; those that spent nothing are absent. */
  readonly spent: {
    readonly keys: ReadonlyMap<KeyId, SpentSoFar>;
    readonly projects: ReadonlyMap<ProjectId, SpentSoFar>;
    readonly accounts: ReadonlyMap<AccountId, SpentSoFar>;
  };
  /** What calls of a key cost that own credentials served, at list prices, whoever charged it; keys without any are absent. */
  readonly ownCosts?: ReadonlyMap<KeyId, SpentSoFar>;
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
  /** The last UTC day on which a call was admitted. */
  readonly lastDay: number;
}

export interface PriceVersion {
  readonly id: PriceVersionId;
  readonly provider: string;
  readonly upstreamModel: string;
  readonly prices: Prices;
  /** Wall time, ms. */
  readonly createdAt: number;
}

export interface PriceStore {
  /**
   * The ids of the versions of exactly these prices for these targets, in the order given; a
   * version is created only if the target's latest one differs. One transaction for all of them.
   */
  pin(targets: readonly PricedTarget[]): Promise<readonly PriceVersionId[]>;
  /** The latest versions of a model, newest first, at most a hundred. A price that was restored keeps its first version. */
  history(model: string): Promise<readonly PriceVersion[]>;
  /** The prices of a version; null if it does not exist. */
  read(id: PriceVersionId): Promise<Prices | null>;
}
