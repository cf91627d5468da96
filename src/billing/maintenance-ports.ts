/** Maintenance of the ledger as a whole: requests and results. Every field can be sent to another thread. */
import type { Prices } from '../catalog/model.ts';
import type { Money } from '../core/money.ts';
import type { Settlement } from '../core/settlement.ts';

/** The rules that the ledger must always satisfy. */
export type LedgerRule =
  | 'database_sound'
  | 'balance_is_the_sum'
  | 'available_not_negative'
  | 'settlement_adds_up'
  | 'price_version_known'
  | 'rollup_is_the_sum'
  | 'refund_within_charge'
  | 'call_once'
  | 'reference_once'
  | 'hold_not_stale'
  | 'record_agrees'
  | 'archive_unchanged'
  /** With several nodes: what budgets count by day is the sum of the settlements. */
  | 'spending_is_the_sum'
  /** With several nodes: money is lent to nodes that are there, and no more is spent than lent. */
  | 'lease_has_node'
  /** With a database of its own, where the audit log is verified as well. */
  | 'audit_chain_whole';

export interface Violation {
  readonly rule: LedgerRule;
  /** What it is about: a call's `gen-…` id, an account, a day. */
  readonly subject: string;
  /** One sentence for an operator. */
  readonly detail: string;
}

export interface VerifyReport {
  /** The first ones; `violationCount` counts them all. */
  readonly violations: readonly Violation[];
  readonly violationCount: number;
  /** How many of each were checked. */
  readonly accounts: number;
  readonly settlements: number;
  readonly entries: number;
  readonly holds: number;
  readonly records: number;
  /** Settled calls without a record, on days whose records are kept: lost detail, not a violation. */
  readonly missingRecords: number;
  /** Settlements whose account is lost, with several nodes: a loss of the operator, not a violation. Absent where that cannot be. */
  readonly unownedSettlements?: number;
  readonly archives: number;
  /** With a replica that could not be used: that the database was read instead, and why. */
  readonly note?: string;
}

/** What can be checked quickly, without reading every settlement. */
export interface CheckReport {
  readonly violations: readonly Violation[];
  readonly accounts: number;
  readonly holds: number;
  /** As in `VerifyReport`. */
  readonly unownedSettlements?: number;
  /** Whether the space that is reserved for a full disk exists. */
  readonly ballast: boolean;
  /** Wall time of the last backup, ms; null when none is known. */
  readonly backupAt: number | null;
  /** The last month that was sealed, `2026-10`; null when none was. */
  readonly sealedThrough: string | null;
  /** As in `VerifyReport`. */
  readonly note?: string;
}

export interface SealReport {
  readonly month: string;
  readonly accounts: number;
  readonly settlements: number;
  readonly entries: number;
  /** Where the rows are now, an absolute path. */
  readonly archive: string;
  /** Whether it had been sealed before, so that nothing changed. */
  readonly wasSealed: boolean;
}

export interface TransferQuery {
  /** Wall time, ms: from, and up to but not including. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly accountId: number | null;
  /** Where the previous page ended; null for the first one. */
  readonly cursor: string | null;
  readonly limit: number;
}

/** A movement of money between two accounts of the ledger. */
export interface Transfer {
  /** ISO 8601, UTC. */
  readonly time: string;
  readonly debit: string;
  readonly credit: string;
  /** USD, an exact decimal. */
  readonly amount: string;
  /** A call's `gen-…` id, or null. */
  readonly call: string | null;
  /** An entry's reference, or null. */
  readonly reference: string | null;
  readonly account: number;
}

export interface TransferPage {
  readonly transfers: readonly Transfer[];
  /** Where the next page begins; null after the last one. */
  readonly cursor: string | null;
  /** As in `VerifyReport`. */
  readonly note?: string;
}

export interface BackupReport {
  /** Absolute. */
  readonly folder: string;
  readonly files: number;
  readonly bytes: number;
  readonly secrets: boolean;
  /** What else is to be backed up, and how, in a sentence; absent if everything is in the folder. */
  readonly rest?: string;
}

/** What was lent to nodes of a time that a restore undid. */
export interface AdoptReport {
  /** How many there were. */
  readonly nodes: number;
  /** What was lent of balances, and returned. */
  readonly returned: Money;
}

/** A settlement as far as money is concerned. */
export type SettledFigures = Pick<
  Settlement,
  | 'usage'
  | 'usageSource'
  | 'priceVersion'
  | 'rate'
  | 'ownCredential'
  | 'cost'
  | 'hold'
  | 'charge'
  | 'fault'
  | 'variance'
  | 'nodeLoss'
  | 'saved'
  | 'ending'
>;

/** The domain's part of the verification, passed to a storage. */
export interface LedgerRules {
  /** What is wrong with a settlement, one sentence each; `prices` are those of its version, null if it has none. */
  faultsOf(figures: SettledFigures, prices: Prices | null): readonly string[];
}

/** The maintenance of the ledger; one job at a time, except lookups. */
export interface LedgerMaintenance {
  /** Recomputes everything from a consistent view; running calls are not disturbed. */
  verify(options: { readonly archive: boolean }): Promise<VerifyReport>;
  check(): Promise<CheckReport>;
  /** Throws `invalid_value` for an invalid month, `conflict` with the reason if it cannot be sealed yet. */
  seal(month: string): Promise<SealReport>;
  transfers(query: TransferQuery): Promise<TransferPage>;
  /** Throws `conflict` if the folder is not empty, or is inside the data folder. */
  backup(options: { readonly folder: string; readonly secrets: boolean }): Promise<BackupReport>;
  /** Whether an entry of this reference was moved to an archive. Waits for no other job. */
  isArchivedReference(accountId: number, reference: string): Promise<boolean>;
  /**
   * After the database was restored to an earlier time: ends every epoch, and returns everything that is lent to nodes. Throws `conflict`
   * if there are no nodes.
   */
  adopt(): Promise<AdoptReport>;
}
