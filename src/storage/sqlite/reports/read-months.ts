/**
 * Statements of an account, month by month. What the account has is known, so its months are counted back from there: a
 * month reads its own days and entries, however long the history is, and sealed months are read from their seals.
 */
import type { DatabaseSync } from 'node:sqlite';
import { dayOf, dayStart, monthOf, nextMonthOf } from '../../../core/calendar.ts';
import type { AccountId } from '../../../core/ids.ts';
import { nanoUsd } from '../../../core/money.ts';
import type { Month, MonthSums, MonthsCursor, MonthsPage, MonthsQuery } from '../../../stats/ports.ts';
import { firstDayOfMonth } from '../archive/ledger-months.ts';
import { bigStatement } from '../engine/open-read-only.ts';
import type { ReadDeadline } from './open-for-reading.ts';

export interface MonthParts {
  readonly ledger: DatabaseSync;
  readonly deadline: ReadDeadline;
}

/** From one view of the ledger. Throws `ReadTooLate`. */
export function listMonths(parts: MonthParts, query: MonthsQuery): MonthsPage {
  parts.ledger.exec('BEGIN');
  try {
    return readMonths(parts, query);
  } finally {
    parts.ledger.exec('ROLLBACK');
  }
}

/** Within a transaction. `day` is the month's first; null where nothing moved up to its end. Throws `ReadTooLate`. */
export function readMonth(parts: MonthParts, accountId: AccountId, day: number): Month | null {
  const nowMs = dayStart(day);
  for (let before: MonthsCursor | null = null; ; ) {
    const { months, next } = readMonths(parts, { accountId, before, limit: PAGE, nowMs });
    const found = months.find((month) => month.day === day);
    if (found !== undefined || next === null) return found ?? null;
    before = next;
  }
}

const PAGE = 12;
/** After so long a page ends where it is: the next one goes on from there. */
const LOOK_MS = 700;

function readMonths(parts: MonthParts, { accountId, before, limit, nowMs }: MonthsQuery): MonthsPage {
  const { ledger, deadline } = parts;
  const seals = readSeals(ledger, accountId);
  const first = firstMonth(parts, accountId, seals);
  const start = before ?? {
    day: lastMonth(ledger, accountId, nowMs),
    closing: nanoUsd(balanceOf(ledger, accountId)),
  };
  const isOver = deadline.box(LOOK_MS);
  const months: Month[] = [];
  let { day, closing } = start;
  while (first !== null && day >= first && months.length < limit) {
    deadline.check();
    const month = day < seals.liveDay ? sealedMonth(seals, day, closing) : liveMonth(parts, accountId, day, closing);
    months.push(month);
    closing = month.opening;
    day = monthOf(day - 1);
    if (isOver()) break;
  }
  return { months, next: first === null || day < first ? null : { day, closing } };
}

function liveMonth(parts: MonthParts, accountId: AccountId, day: number, closing: Month['closing']): Month {
  const sums = sumsOf(parts, accountId, day);
  return { day, opening: nanoUsd(closing - total(sums)), sums, closing, isSealed: false };
}

function sealedMonth({ months }: AccountSeals, day: number, closing: Month['closing']): Month {
  const seal = months.get(day);
  // Before its first row an account has no seals.
  const sums = seal === undefined ? NOTHING : seal.sums;
  const opening = sums === null ? closingBefore(months, day) : closing - total(sums);
  return { day, opening: nanoUsd(opening), sums, closing, isSealed: true };
}

/** Of the last seal before a month: one in which nothing moved anywhere has none. */
function closingBefore(months: AccountSeals['months'], day: number): bigint {
  const last = Math.max(...[...months.keys()].filter((sealed) => sealed < day));
  return months.get(last)?.closing ?? 0n;
}

function total({ topups, promos, adjustments, refunds, charges }: MonthSums): bigint {
  return topups + promos + adjustments + refunds + charges;
}

const NO_MONEY = nanoUsd(0n);
const NOTHING: MonthSums = {
  topups: NO_MONEY,
  promos: NO_MONEY,
  adjustments: NO_MONEY,
  refunds: NO_MONEY,
  charges: NO_MONEY,
};
const KINDS = { topup: 'topups', promo: 'promos', adjustment: 'adjustments', refund: 'refunds' } as const;

/**
 * What moved in a month that is not sealed, day by day: the rows of one account lie together within a day, and the
 * deadline is looked at between two. Each sum is read from an index alone.
 */
function sumsOf({ ledger, deadline }: MonthParts, accountId: AccountId, month: number): MonthSums {
  const entries = bigStatement(
    ledger,
    `SELECT kind, sum(amount_nano) AS amount FROM entries INDEXED BY entries_by_time
     WHERE account_id = ? AND at >= ? AND at < ? GROUP BY kind`,
  );
  const charged = bigStatement(
    ledger,
    'SELECT coalesce(sum(charge_nano), 0) AS nano FROM rollups_day WHERE start = ? AND account_id = ?',
  );
  // Rollups sum up all calls; while billing was off they moved no balance.
  const beside = bigStatement(
    ledger,
    `SELECT coalesce(sum(charge_nano), 0) AS nano FROM settlements INDEXED BY settlements_beside_balances
     WHERE account_id = ? AND admitted_at >= ? AND admitted_at < ? AND hold_nano IS NULL AND charge_nano <> 0`,
  );
  const sums: Record<keyof MonthSums, bigint> = { ...NOTHING };
  for (let day = month; day < nextMonthOf(month); day += 1) {
    deadline.check();
    const span = [accountId, dayStart(day), dayStart(day + 1)] as const;
    for (const { kind, amount } of entries.all(...span) as unknown as { kind: keyof typeof KINDS; amount: bigint }[])
      sums[KINDS[kind]] += amount;
    deadline.check();
    sums.charges -= (charged.get(day, accountId) as { nano: bigint }).nano;
    sums.charges += (beside.get(...span) as { nano: bigint }).nano;
  }
  return sums as unknown as MonthSums;
}

interface AccountSeals {
  /** By the first day of a month. */
  readonly months: ReadonlyMap<number, { readonly closing: bigint; readonly sums: MonthSums | null }>;
  /** Months from this day on are not sealed, of any account. */
  readonly liveDay: number;
}

function readSeals(ledger: DatabaseSync, accountId: AccountId): AccountSeals {
  const { last } = ledger.prepare('SELECT max(month) AS last FROM seals').get() as { last: string | null };
  const rows = bigStatement(
    ledger,
    `SELECT month, closing_balance_nano AS closing, topups_nano AS topups, promos_nano AS promos,
       adjustments_nano AS adjustments, refunds_nano AS refunds, charges_nano AS charges
     FROM seals WHERE account_id = ?`,
  ).all(accountId) as unknown as ({ month: string; closing: bigint } & Record<keyof MonthSums, bigint | null>)[];
  const months = new Map(
    rows.map(({ month, closing, ...sums }) => {
      const isTold = Object.values(sums).every((sum) => sum !== null);
      return [firstDayOfMonth(month), { closing, sums: isTold ? (sums as unknown as MonthSums) : null }];
    }),
  );
  return { months, liveDay: last === null ? 0 : firstDayOfMonth(last, 1) };
}

function balanceOf(ledger: DatabaseSync, accountId: AccountId): bigint {
  const row = bigStatement(ledger, 'SELECT balance_nano AS balance FROM balances WHERE account_id = ?').get(
    accountId,
  ) as { balance: bigint } | undefined;
  return row?.balance ?? 0n;
}

/** The running one, or a later one where the clock was ahead when something moved. */
function lastMonth(ledger: DatabaseSync, accountId: AccountId, nowMs: number): number {
  const { day } = ledger.prepare('SELECT max(start) AS day FROM rollups_day').get() as { day: number | null };
  const { at } = ledger.prepare('SELECT max(at) AS at FROM entries WHERE account_id = ?').get(accountId) as {
    at: number | null;
  };
  return monthOf(Math.max(dayOf(nowMs), day ?? 0, dayOf(at ?? 0)));
}

/** The month of what first moved the balance; null where nothing has. */
function firstMonth({ ledger, deadline }: MonthParts, accountId: AccountId, { months }: AccountSeals): number | null {
  const sealed = Math.min(...months.keys());
  if (sealed !== Number.POSITIVE_INFINITY) return sealed;
  const { at } = ledger.prepare('SELECT min(at) AS at FROM entries WHERE account_id = ?').get(accountId) as {
    at: number | null;
  };
  const entered = at === null ? Number.POSITIVE_INFINITY : dayOf(at);
  const range = ledger.prepare('SELECT min(start) AS first, max(start) AS last FROM rollups_day').get() as {
    first: number | null;
    last: number | null;
  };
  const isCharged = ledger.prepare(
    'SELECT 1 FROM rollups_day WHERE start = ? AND account_id = ? AND charge_nano <> 0 LIMIT 1',
  );
  for (let day = range.first ?? 0; day < Math.min(entered, (range.last ?? -1) + 1); day += 1) {
    deadline.check();
    if (isCharged.get(day, accountId) !== undefined) return monthOf(day);
  }
  return at === null ? null : monthOf(entered);
}
