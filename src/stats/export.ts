/** Exports: everything that matches a query, in batches, as of the start of the export. */
import type { Money } from '../core/money.ts';
import type { CallSummary, CallsQuery } from './call-list.ts';
import type { Month } from './month.ts';
import type { Movement, MovementsQuery } from './movement.ts';
import type { UsageQuery, UsageSums } from './usage-report.ts';

export type MovementsExport = Omit<MovementsQuery, 'before' | 'limit'>;
export type CallsExport = Omit<CallsQuery, 'before' | 'limit'>;
/** Every group, however many there are. */
export type UsageExport = Omit<UsageQuery, 'groups'>;

export interface MovementBatch {
  /** Newest first. */
  readonly movements: readonly Movement[];
  /** In the first batch, if the query is for one UTC month and all kinds, and something moved in or before that month. */
  readonly month: Month | null;
  /** In the last batch, if the time range includes sealed months: their rows are in archives. */
  readonly sealed: SealedBalance | null;
}

export interface SealedBalance {
  /** The end of the last sealed month, ms. */
  readonly endMs: number;
  /** The account's balance at that time. */
  readonly balance: Money;
}

/** One interval and one group with at least one call. */
export interface UsageRow {
  /** Minutes, hours or days since 1970 UTC; for days of another time zone, the hours at which they begin. */
  readonly start: number;
  /** The name of the model or provider, the id of the key or project in digits; empty without a grouping. */
  readonly id: string;
  readonly sums: UsageSums;
}

/**
 * Each export reads one snapshot of the ledger, however long it takes, and throws if it cannot continue: what was read by then
 * is incomplete. Throws `GatewayError` `shedding` if too many exports are running.
 */
export interface StatsExports {
  allMovements(query: MovementsExport): AsyncIterable<MovementBatch>;
  /** By time, then by group. */
  allUsage(query: UsageExport): AsyncIterable<readonly UsageRow[]>;
  /** Calls that have a record, newest first. */
  allCalls(query: CallsExport): AsyncIterable<readonly CallSummary[]>;
}
