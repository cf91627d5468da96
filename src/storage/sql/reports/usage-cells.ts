/**
 * The cells that usage reports add up, interval by interval: hours and days from rollups, days of another
 * time zone from both, minutes from the calls themselves.
 */
import { callIdBytes, firstCallIdAt } from '../../../core/ids.ts';
import type { UsageQuery } from '../../../stats/ports.ts';
import { settledIn } from '../ledger/rollup-columns.ts';
import type { HourCache } from './hour-cache.ts';
import { CELL_SUMS, type Conditions, cellsOfEach, GROUP_COLUMNS, type Span, selectSums } from './rollup-cells.ts';
import { type ReportParts, rowsOf, rowsOfEach, type Steps } from './steps.ts';
import type { Cell } from './usage-sums.ts';
import { zoneDayCells } from './zone-day-cells.ts';

export interface CellParts extends ReportParts {
  /** A cache for the same ledger; without it nothing is cached. */
  readonly hours?: HourCache;
}

type CellsQuery = Pick<UsageQuery, 'accountId' | 'interval' | 'first' | 'end' | 'days' | 'groupBy' | 'costs'>;

/** The number of the first interval, as in the cells, and the number of intervals; days of another zone are numbered from 0. */
export function intervalsOf({ first, end, days }: CellsQuery): { readonly first: number; readonly count: number } {
  return days === undefined ? { first, count: end - first } : { first: 0, count: days.length - 1 };
}

/**
 * The cells, interval by interval. With days of another zone a cell may be negative; only the sum of the cells of one interval and
 * group is meaningful.
 */
export function* cellsOf(parts: CellParts, query: CellsQuery, conditions: Conditions): Steps<readonly Cell[]> {
  const { interval, days } = query;
  if (interval === 'minute') return yield* minuteCells(parts, query, conditions);
  if (days !== undefined) return yield* zoneDayCells(days, query, conditions);
  const select = selectSums(interval, query, conditions.sql);
  if (interval === 'day' || parts.hours === undefined)
    return (yield* cellsOfEach(select, conditions.values, [query])).flat();
  return yield* hourCells(parts.hours, query, conditions, select);
}

const HOURS_PER_DAY = 24;

/** Whole days are cached across reports. */
function* hourCells(
  hours: HourCache,
  { accountId, first, end, groupBy, costs }: CellsQuery,
  { sql, values }: Conditions,
  select: string,
): Steps<readonly Cell[]> {
  const spans = daySpans(first, end);
  const whole = spans.filter((span) => span.end - span.first === HOURS_PER_DAY);
  const counts = yield* rowsOfEach<{ calls: bigint | null }>(
    'SELECT sum(calls) AS calls FROM rollups_day WHERE start = ? AND account_id = ?',
    whole.map((span) => [span.first / HOURS_PER_DAY, accountId]),
  );
  const callsOf = new Map(whole.map((span, index) => [span, counts[index]?.[0]?.calls ?? null]));
  const known = new Map<Span, readonly Cell[]>();
  const questionOf = (span: Span) => JSON.stringify([span.first, groupBy, costs === true, sql, values.map(String)]);
  for (const [span, calls] of callsOf) {
    const kept = calls === null ? [] : hours.find(questionOf(span), calls);
    if (kept !== null) known.set(span, kept);
  }
  const wanted = spans.filter((span) => !known.has(span));
  const read = yield* cellsOfEach(select, values, wanted);
  for (const [index, span] of wanted.entries()) {
    const cells = read[index] as readonly Cell[];
    known.set(span, cells);
    const calls = callsOf.get(span);
    if (calls !== undefined && calls !== null) hours.keep(questionOf(span), calls, cells);
  }
  return spans.flatMap((span) => known.get(span) as readonly Cell[]);
}

/** Splits hours at UTC days. */
function daySpans(first: number, end: number): Span[] {
  const spans: Span[] = [];
  for (let start = first; start < end; ) {
    const dayEnd = start - (start % HOURS_PER_DAY) + HOURS_PER_DAY;
    spans.push({ first: start, end: Math.min(end, dayEnd) });
    start = dayEnd;
  }
  return spans;
}

/** The cells of the preceding period, ungrouped. Whole days are read from the daily sums, whatever interval was requested. */
export function* previousCells(parts: CellParts, query: UsageQuery, conditions: Conditions): Steps<readonly Cell[]> {
  const { interval, first, end } = query;
  const span = { first: Math.max(0, first - (end - first)), end: first };
  if (interval === 'minute') return yield* minuteCells(parts, { ...query, ...span, groupBy: 'none' }, conditions);
  const isWhole = span.first % HOURS_PER_DAY === 0 && span.end % HOURS_PER_DAY === 0;
  const days = { first: span.first / HOURS_PER_DAY, end: span.end / HOURS_PER_DAY };
  const asked = interval === 'hour' && isWhole ? { ...days, interval: 'day' as const } : { ...span, interval };
  const { days: _days, ...whole } = query;
  return yield* cellsOf(parts, { ...whole, ...asked, groupBy: 'none' }, conditions);
}

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** A call counts in the minute in which it was admitted; its id is created when its request arrives, up to an hour earlier. */
function* minuteCells(
  { inTime }: ReportParts,
  { first, end, groupBy, costs }: CellsQuery,
  { sql, values }: Conditions,
): Steps<readonly Cell[]> {
  const [fromMs, toMs] = [first * MINUTE_MS, end * MINUTE_MS];
  const ids = [Math.max(0, fromMs - HOUR_MS), toMs].map((ms) => callIdBytes(firstCallIdAt(ms)));
  const sums = CELL_SUMS.map((column) => `sum(${settledIn(column)}) AS ${column}`);
  if (costs === true) sums.push(`sum(${settledIn('cost_nano')} - ${settledIn('own_cost_nano')}) AS borne_nano`);
  const rows = yield* rowsOf<Omit<Cell, 'start'> & { readonly start: bigint }>(
    `SELECT admitted_at / ${MINUTE_MS} AS start, ${groupBy === 'none' ? '0' : GROUP_COLUMNS[groupBy]} AS id,
       ${sums.join(', ')}
     FROM settlements WHERE ${inTime('admitted_at')} AND call_id >= ? AND call_id < ? AND admitted_at >= ? AND admitted_at < ?
       AND ${sql} GROUP BY 1, 2 ORDER BY 1`,
    [...ids, fromMs, toMs, ...values],
  );
  return rows.map((row) => ({ ...row, start: Number(row.start) }));
}
