/**
 * Monthly statements of an account. The current balance is known, so months are computed backwards from it: each
 * month reads only its own days and entries, however long the history is, and sealed months are read from their seals.
 */
import { dayOf, dayStart, monthOf } from '../../../core/calendar.ts';
import type { AccountId } from '../../../core/ids.ts';
import { nanoUsd } from '../../../core/money.ts';
import type { Month, MonthSums, MonthsCursor, MonthsPage, MonthsQuery } from '../../../stats/ports.ts';
import { type AccountSeals, NOTHING_MOVED, readAccountSeals, sumsOfMonth } from './month-sums.ts';
import { type ReportParts, rowOf, rowsOfEach, type Steps } from './steps.ts';

/** `day` is the first day of the month; null if nothing moved up to its end. Must be read from one snapshot of the ledger. */
export function* readMonth(parts: ReportParts, accountId: AccountId, day: number): Steps<Month | null> {
  const nowMs = dayStart(day);
  for (let before: MonthsCursor | null = null; ; ) {
    const { months, next }: MonthsPage = yield* listMonths(parts, { accountId, before, limit: PAGE, nowMs });
    const found = months.find((month) => month.day === day);
    if (found !== undefined || next === null) return found ?? null;
    before = next;
  }
}

const PAGE = 12;
/** After this time a page ends early, and the next one continues. */
const PAGE_MS_MAX = 700;

/** Must be read from one snapshot of the ledger. */
export function* listMonths(parts: ReportParts, { accountId, before, limit, nowMs }: MonthsQuery): Steps<MonthsPage> {
  const seals = yield* readAccountSeals(accountId);
  const first = yield* firstMonth(accountId, seals);
  const start = before ?? {
    day: yield* lastMonth(accountId, nowMs),
    closing: nanoUsd(yield* balanceOf(accountId)),
  };
  const isOver = parts.box(PAGE_MS_MAX);
  const months: Month[] = [];
  let { day, closing } = start;
  while (first !== null && day >= first && months.length < limit) {
    const month =
      day < seals.liveDay ? sealedMonth(seals, day, closing) : yield* liveMonth(parts, accountId, day, closing);
    months.push(month);
    closing = month.opening;
    day = monthOf(day - 1);
    if (isOver()) break;
  }
  return { months, next: first === null || day < first ? null : { day, closing } };
}

function* liveMonth(parts: ReportParts, accountId: AccountId, day: number, closing: Month['closing']): Steps<Month> {
  const sums = yield* sumsOfMonth(parts, accountId, day);
  return { day, opening: nanoUsd(closing - total(sums)), sums, closing, isSealed: false };
}

function sealedMonth({ months }: AccountSeals, day: number, closing: Month['closing']): Month {
  const seal = months.get(day);
  // An account has no seals before its first row.
  const sums = seal === undefined ? NOTHING_MOVED : seal.sums;
  const opening = sums === null ? closingBefore(months, day) : closing - total(sums);
  return { day, opening: nanoUsd(opening), sums, closing, isSealed: true };
}

/** The closing balance of the last seal before a month; a month without any movement has no seal. */
function closingBefore(months: AccountSeals['months'], day: number): bigint {
  const last = Math.max(...[...months.keys()].filter((sealed) => sealed < day));
  return months.get(last)?.closing ?? 0n;
}

function total({ topups, promos, adjustments, refunds, charges }: MonthSums): bigint {
  return topups + promos + adjustments + refunds + charges;
}

function* balanceOf(accountId: AccountId): Steps<bigint> {
  const row = yield* rowOf<{ balance: bigint }>('SELECT balance_nano AS balance FROM balances WHERE account_id = ?', [
    accountId,
  ]);
  return row?.balance ?? 0n;
}

/** The current month, or a later one if the clock was ahead when something moved. */
function* lastMonth(accountId: AccountId, nowMs: number): Steps<number> {
  const summed = yield* rowOf<{ day: bigint | null }>('SELECT max(start) AS day FROM rollups_day');
  const entered = yield* rowOf<{ at: bigint | null }>('SELECT max(at) AS at FROM entries WHERE account_id = ?', [
    accountId,
  ]);
  return monthOf(Math.max(dayOf(nowMs), Number(summed?.day ?? 0), dayOf(Number(entered?.at ?? 0))));
}

/** Days searched in one step. */
const DAYS_PER_STEP = 31;

/** The month of the first movement, or null. */
function* firstMonth(accountId: AccountId, { months }: AccountSeals): Steps<number | null> {
  const sealed = Math.min(...months.keys());
  if (sealed !== Number.POSITIVE_INFINITY) return sealed;
  const first = yield* rowOf<{ at: bigint | null }>('SELECT min(at) AS at FROM entries WHERE account_id = ?', [
    accountId,
  ]);
  const at = first?.at ?? null;
  const entered = at === null ? Number.POSITIVE_INFINITY : dayOf(Number(at));
  const range = yield* rowOf<{ first: bigint | null; last: bigint | null }>(
    'SELECT min(start) AS first, max(start) AS last FROM rollups_day',
  );
  const end = Math.min(entered, Number(range?.last ?? -1) + 1);
  for (let day = Number(range?.first ?? 0); day < end; day += DAYS_PER_STEP) {
    const days = Array.from({ length: Math.min(DAYS_PER_STEP, end - day) }, (_, index) => day + index);
    const charged = yield* rowsOfEach(
      'SELECT 1 FROM rollups_day WHERE start = ? AND account_id = ? AND charge_nano <> 0 LIMIT 1',
      days.map((each) => [each, accountId]),
    );
    const found = charged.findIndex((rows) => rows.length > 0);
    if (found >= 0) return monthOf(day + found);
  }
  return at === null ? null : monthOf(entered);
}
