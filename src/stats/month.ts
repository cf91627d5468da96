/** Statements: what moved the balance of an account, month by month. */
import type { AccountId } from '../core/ids.ts';
import type { Money } from '../core/money.ts';

export interface MonthsQuery {
  readonly accountId: AccountId;
  /** Null begins with the current month. */
  readonly before: MonthsCursor | null;
  readonly limit: number;
  /** Wall time. */
  readonly nowMs: number;
}

export interface MonthsCursor {
  /** The first day of the next month to return, in days since 1970 UTC. */
  readonly day: number;
  /** The account's balance at its end. */
  readonly closing: Money;
}

/** Movements by kind; negative if they lowered the balance. */
export interface MonthSums {
  readonly topups: Money;
  readonly promos: Money;
  readonly adjustments: Money;
  readonly refunds: Money;
  readonly charges: Money;
}

/** A UTC month, as budgets and seals count them: a call belongs to the month in which it was admitted. */
export interface Month {
  /** Its first day, in days since 1970 UTC. */
  readonly day: number;
  readonly opening: Money;
  /** Null for a month that was sealed before seals had sums: its rows are in its archive. */
  readonly sums: MonthSums | null;
  /** The opening balance plus all sums. */
  readonly closing: Money;
  readonly isSealed: boolean;
}

export interface MonthsPage {
  /** Newest first, without gaps, down to the first month with a movement; fewer than `limit` if reading takes too long. */
  readonly months: readonly Month[];
  /** Null at the end. */
  readonly next: MonthsCursor | null;
}
