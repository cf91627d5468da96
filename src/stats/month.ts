/** Statements: what moved the balance of an account, month by month. */
import type { AccountId } from '../core/ids.ts';
import type { Money } from '../core/money.ts';

export interface MonthsQuery {
  readonly accountId: AccountId;
  /** Null begins with the running month. */
  readonly before: MonthsCursor | null;
  readonly limit: number;
  /** Wall time. */
  readonly nowMs: number;
}

export interface MonthsCursor {
  /** The first day of the next month to be told, since 1970 UTC. */
  readonly day: number;
  /** What the account had at its end. */
  readonly closing: Money;
}

/** What moved; what left the balance is negative. */
export interface MonthSums {
  readonly topups: Money;
  readonly promos: Money;
  readonly adjustments: Money;
  readonly refunds: Money;
  readonly charges: Money;
}

/** A month of UTC, as budgets and seals count them: a call belongs to the month in which it was admitted. */
export interface Month {
  /** Its first day, since 1970 UTC. */
  readonly day: number;
  readonly opening: Money;
  /** Null in a month that was sealed before seals had sums: its rows are in its archive. */
  readonly sums: MonthSums | null;
  /** The opening and all sums. */
  readonly closing: Money;
  readonly isSealed: boolean;
}

export interface MonthsPage {
  /** Newest first, without a gap, down to the first one in which something moved; fewer than asked for where it takes long. */
  readonly months: readonly Month[];
  /** Null at the end. */
  readonly next: MonthsCursor | null;
}
