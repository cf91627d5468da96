/** The movements of an account's balance in a month by kind, from its rows or from its seal. */
import { dayStart, nextMonthOf } from '../../../core/calendar.ts';
import type { AccountId } from '../../../core/ids.ts';
import { nanoUsd } from '../../../core/money.ts';
import type { MonthSums } from '../../../stats/ports.ts';
import { firstDayOfMonth } from '../ledger/ledger-months.ts';
import { type ReportParts, rowOf, rowsOf, rowsOfEach, type Steps } from './steps.ts';

const NO_MONEY = nanoUsd(0n);
export const NOTHING_MOVED: MonthSums = {
  topups: NO_MONEY,
  promos: NO_MONEY,
  adjustments: NO_MONEY,
  refunds: NO_MONEY,
  charges: NO_MONEY,
};
const KINDS = {
  topup: 'topups',
  promo: 'promos',
  adjustment: 'adjustments',
  refund: 'refunds',
  late_charge: 'charges',
} as const;

export interface AccountSeals {
  /** By the first day of a month. */
  readonly months: ReadonlyMap<number, { readonly closing: bigint; readonly sums: MonthSums | null }>;
  /** Months from this day on are not sealed for any account. */
  readonly liveDay: number;
}

/**
 * The movements of a month that is not sealed, read day by day: the rows of one account are adjacent within a day. Each sum is read
 * from an index alone.
 */
export function* sumsOfMonth({ byIndex }: ReportParts, accountId: AccountId, month: number): Steps<MonthSums> {
  const days = Array.from({ length: nextMonthOf(month) - month }, (_, index) => month + index);
  const spans = days.map((day) => [accountId, dayStart(day), dayStart(day + 1)]);
  const entered = yield* rowsOfEach<{ kind: keyof typeof KINDS; amount: bigint }>(
    `SELECT kind, sum(amount_nano) AS amount FROM entries ${byIndex('entries_by_time')}
     WHERE account_id = ? AND at >= ? AND at < ? GROUP BY kind`,
    spans,
  );
  const charged = yield* rowsOfEach<{ nano: bigint }>(
    'SELECT coalesce(sum(charge_nano), 0) AS nano FROM rollups_day WHERE start = ? AND account_id = ?',
    days.map((day) => [day, accountId]),
  );
  // Rollups include all calls; those made while billing was off moved no balance.
  const unbilled = yield* rowsOfEach<{ nano: bigint }>(
    `SELECT coalesce(sum(charge_nano), 0) AS nano FROM settlements ${byIndex('settlements_beside_balances')}
     WHERE account_id = ? AND admitted_at >= ? AND admitted_at < ? AND hold_nano IS NULL AND charge_nano <> 0`,
    spans,
  );
  const sums: Record<keyof MonthSums, bigint> = { ...NOTHING_MOVED };
  for (const { kind, amount } of entered.flat()) sums[KINDS[kind]] += amount;
  for (const { nano } of charged.flat()) sums.charges -= nano;
  for (const { nano } of unbilled.flat()) sums.charges += nano;
  return sums as unknown as MonthSums;
}

type SealRow = { readonly month: string; readonly closing: bigint } & Readonly<Record<keyof MonthSums, bigint | null>>;

export function* readAccountSeals(accountId: AccountId): Steps<AccountSeals> {
  const newest = yield* rowOf<{ last: string | null }>('SELECT max(month) AS last FROM seals');
  const rows = yield* rowsOf<SealRow>(
    `SELECT month, closing_balance_nano AS closing, topups_nano AS topups, promos_nano AS promos,
       adjustments_nano AS adjustments, refunds_nano AS refunds, charges_nano AS charges
     FROM seals WHERE account_id = ?`,
    [accountId],
  );
  const months = new Map(
    rows.map(({ month, closing, ...sums }) => {
      const isComplete = Object.values(sums).every((sum) => sum !== null);
      return [firstDayOfMonth(month), { closing, sums: isComplete ? (sums as unknown as MonthSums) : null }];
    }),
  );
  const last = newest?.last ?? null;
  return { months, liveDay: last === null ? 0 : firstDayOfMonth(last, 1) };
}
