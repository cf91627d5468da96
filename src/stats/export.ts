/** What exports read: everything that was asked for, in batches, as it stood when the export began. */
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
  /** With the first batch, where the time asked for is a month of UTC, of all kinds, in which or before which something moved. */
  readonly month: Month | null;
  /** With the last batch, where the time asked for reaches into months that are sealed: those are in archives. */
  readonly sealed: SealedBalance | null;
}

export interface SealedBalance {
  /** The end of the last sealed month, ms. */
  readonly endMs: number;
  /** What the account had then. */
  readonly balance: Money;
}

/** Of one interval and one group in which there was a call. */
export interface UsageRow {
  /** Minutes, hours or days since 1970 UTC; hours where days of another zone begin. */
  readonly start: number;
  /** The name of the model or provider, the id of the key or project in digits; empty without a grouping. */
  readonly id: string;
  readonly sums: UsageSums;
}

/**
 * Each reads from one view of the ledger, however long it takes, and throws where it cannot go on: what was read by then
 * is not the whole. Throws `GatewayError` `shedding` where too many exports run.
 */
export interface StatsExports {
  allMovements(query: MovementsExport): AsyncIterable<MovementBatch>;
  /** By time, then by group. */
  allUsage(query: UsageExport): AsyncIterable<readonly UsageRow[]>;
  /** Calls that have a record, newest first. */
  allCalls(query: CallsExport): AsyncIterable<readonly CallSummary[]>;
}
