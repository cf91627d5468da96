/**
 * What reports about consumption are summed up from, interval by interval: hours and days from rollups, days of another
 * time zone from both, minutes from the calls themselves.
 */
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { callIdBytes, firstCallIdAt } from '../../../core/ids.ts';
import type { UsageGrouping, UsageQuery } from '../../../stats/ports.ts';
import { ROLLUP_SUMS, settledIn } from '../../sql/ledger/rollup-columns.ts';
import type { KeptHours } from './kept-hours.ts';
import type { ReadDeadline } from './open-for-reading.ts';
import type { Cell, SumColumn } from './usage-sums.ts';

export interface CellParts {
  readonly ledger: DatabaseSync;
  readonly deadline: ReadDeadline;
  /** Of the same ledger; without it nothing is kept. */
  readonly hours?: KeptHours;
}

export interface Conditions {
  readonly sql: string;
  readonly values: readonly SQLInputValue[];
}

/** The number of the first interval, as cells say it, and how many there are: those of another zone are counted from 0. */
export function intervalsOf({ first, end, days }: UsageQuery): { readonly first: number; readonly count: number } {
  return days === undefined ? { first, count: end - first } : { first: 0, count: days.length - 1 };
}

/** Where days are of another zone a cell may be negative, and what the cells of one interval and group add up to is meant. */
export function cellsOf(parts: CellParts, query: UsageQuery, conditions: Conditions): Generator<Cell> {
  const { interval, groupBy, days } = query;
  if (interval === 'minute') return minuteCells(parts, query, conditions, groupBy);
  if (days !== undefined) return zoneDayCells(parts, days, groupBy, conditions);
  const select = parts.ledger.prepare(selectSums(interval, groupBy, conditions.sql));
  if (interval === 'day' || parts.hours === undefined)
    return eachCell(select, conditions.values, query, parts.deadline);
  return hourCells({ ...parts, hours: parts.hours }, query, conditions, select);
}

const COLUMNS: Readonly<Record<Exclude<UsageGrouping, 'none'>, string>> = {
  model: 'model',
  provider: 'provider',
  key: 'key_id',
  project: 'project_id',
};

const SUMS: readonly SumColumn[] = ROLLUP_SUMS.filter((column) => column !== 'cost_nano');

/** Keys are grouped by their projects, in the order in which the rows stand: nothing is sorted. */
function selectSums(interval: 'hour' | 'day', groupBy: UsageGrouping, conditions: string): string {
  const id = groupBy === 'none' ? '0' : COLUMNS[groupBy];
  const order = groupBy === 'none' ? 'account_id' : groupBy === 'key' ? 'project_id, key_id' : COLUMNS[groupBy];
  return `SELECT ${id} AS id, ${SUMS.map((column) => `sum(${column}) AS ${column}`).join(', ')}
    FROM rollups_${interval} WHERE start = ? AND ${conditions} GROUP BY ${order}`;
}

interface Span {
  readonly first: number;
  /** Not included. */
  readonly end: number;
}

/**
 * Interval by interval: the rows of one account lie together within each, and to sort some of them is cheaper than to
 * sort them all. The deadline is looked at between two.
 */
function* eachCell(
  select: StatementSync,
  values: readonly SQLInputValue[],
  { first, end }: Span,
  deadline: ReadDeadline,
): Generator<Cell> {
  select.setReadBigInts(true);
  for (let start = first; start < end; start += 1) {
    deadline.check();
    const rows = select.all(start, ...values) as unknown as Omit<Cell, 'start'>[];
    for (const row of rows) yield { ...row, start };
  }
}

const HOURS_A_DAY = 24;

/** Whole days are kept from one report to the next. */
function* hourCells(
  { ledger, deadline, hours }: CellParts & { readonly hours: KeptHours },
  { accountId, first, end, groupBy }: UsageQuery,
  { sql, values }: Conditions,
  select: StatementSync,
): Generator<Cell> {
  const count = ledger.prepare('SELECT sum(calls) AS calls FROM rollups_day WHERE start = ? AND account_id = ?');
  count.setReadBigInts(true);
  let start = first;
  while (start < end) {
    const dayEnd = start - (start % HOURS_A_DAY) + HOURS_A_DAY;
    const span = { first: start, end: Math.min(end, dayEnd) };
    const cells = () => eachCell(select, values, span, deadline);
    start = span.end;
    if (span.end - span.first < HOURS_A_DAY) {
      yield* cells();
      continue;
    }
    deadline.check();
    const { calls } = count.get(span.first / HOURS_A_DAY, accountId) as { calls: bigint | null };
    const question = JSON.stringify([span.first, groupBy, sql, values]);
    if (calls !== null) yield* hours.day(question, calls, () => [...cells()]);
  }
}

/** Of the time just before, ungrouped. Where they are whole days they are read from the sums of days, whatever was asked for. */
export function previousCells(parts: CellParts, query: UsageQuery, conditions: Conditions): Generator<Cell> {
  const { interval, first, end } = query;
  const span = { first: Math.max(0, first - (end - first)), end: first };
  if (interval === 'minute') return minuteCells(parts, { ...query, ...span }, conditions, 'none');
  const isWhole = span.first % HOURS_A_DAY === 0 && span.end % HOURS_A_DAY === 0;
  const days = { first: span.first / HOURS_A_DAY, end: span.end / HOURS_A_DAY };
  const asked = interval === 'hour' && isWhole ? { ...days, interval: 'day' as const } : { ...span, interval };
  const { days: _days, ...whole } = query;
  return cellsOf(parts, { ...whole, ...asked, groupBy: 'none' }, conditions);
}

/**
 * Days that begin at other hours than those of UTC: a day of UTC that lies mostly within one is taken whole, and the hours
 * in which the two differ are added or taken away. Half a day of hours at most, where the day itself has twenty-four.
 */
function* zoneDayCells(
  { ledger, deadline }: CellParts,
  edges: readonly number[],
  groupBy: UsageGrouping,
  { sql, values }: Conditions,
): Generator<Cell> {
  const days = ledger.prepare(selectSums('day', groupBy, sql));
  const hours = ledger.prepare(selectSums('hour', groupBy, sql));
  for (let index = 0; index + 1 < edges.length; index += 1) {
    const [begin, end] = [edges[index] as number, edges[index + 1] as number];
    const day = Math.floor((begin + end) / 2 / HOURS_A_DAY);
    const [dayBegin, dayEnd] = [day * HOURS_A_DAY, (day + 1) * HOURS_A_DAY];
    for (const cell of eachCell(days, values, { first: day, end: day + 1 }, deadline)) yield { ...cell, start: index };
    for (const [span, isIn] of [
      [{ first: begin, end: dayBegin }, true],
      [{ first: dayBegin, end: begin }, false],
      [{ first: dayEnd, end }, true],
      [{ first: end, end: dayEnd }, false],
    ] as const)
      for (const cell of eachCell(hours, values, span, deadline))
        yield isIn ? { ...cell, start: index } : { ...negative(cell), start: index };
  }
}

function negative(cell: Cell): Cell {
  const { id, start } = cell;
  return {
    id,
    start,
    ...(Object.fromEntries(SUMS.map((column) => [column, -cell[column]])) as Record<SumColumn, bigint>),
  };
}

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** A call counts in the minute in which it was admitted; its id is made when its request arrives, up to an hour sooner. */
function* minuteCells(
  { ledger, deadline }: CellParts,
  { first, end }: Pick<UsageQuery, 'first' | 'end'>,
  { sql, values }: Conditions,
  groupBy: UsageGrouping,
): Generator<Cell> {
  const select = ledger.prepare(
    `SELECT admitted_at / ${MINUTE_MS} AS start, ${groupBy === 'none' ? '0' : COLUMNS[groupBy]} AS id,
       ${SUMS.map((column) => `sum(${settledIn(column)}) AS ${column}`).join(', ')}
     FROM settlements WHERE in_time(admitted_at) AND call_id >= ? AND call_id < ? AND admitted_at >= ? AND admitted_at < ?
       AND ${sql} GROUP BY 1, 2 ORDER BY 1`,
  );
  select.setReadBigInts(true);
  const [fromMs, toMs] = [first * MINUTE_MS, end * MINUTE_MS];
  const ids = [Math.max(0, fromMs - HOUR_MS), toMs].map((ms) => callIdBytes(firstCallIdAt(ms))) as [Buffer, Buffer];
  const rows = select.all(...ids, fromMs, toMs, ...values) as unknown as (Omit<Cell, 'start'> & {
    readonly start: bigint;
  })[];
  for (const row of rows) yield { ...row, start: Number(row.start) };
  deadline.check();
}
