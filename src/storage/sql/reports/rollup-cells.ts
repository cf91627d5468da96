/** Cells from the hourly or daily sums. */
import type { UsageGrouping, UsageQuery } from '../../../stats/ports.ts';
import { ROLLUP_SUMS, type RollupSumColumn } from '../ledger/rollup-columns.ts';
import { rowsOfEach, type SqlValue, type Steps } from './steps.ts';
import type { Cell, SumColumn } from './usage-sums.ts';

export interface Conditions {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

export const GROUP_COLUMNS: Readonly<Record<Exclude<UsageGrouping, 'none'>, string>> = {
  model: 'model',
  provider: 'provider',
  key: 'key_id',
  project: 'project_id',
};

export const CELL_SUMS: readonly SumColumn[] = ROLLUP_SUMS.filter(isShown);

function isShown(column: RollupSumColumn): column is SumColumn {
  return column !== 'cost_nano' && column !== 'own_cost_nano';
}

/** Keys are grouped with their projects, in the order of the stored rows, so that nothing must be sorted. */
export function selectSums(
  interval: 'hour' | 'day',
  { groupBy, costs }: Pick<UsageQuery, 'groupBy' | 'costs'>,
  conditions: string,
): string {
  const id = groupBy === 'none' ? '0' : GROUP_COLUMNS[groupBy];
  const order = groupBy === 'none' ? 'account_id' : groupBy === 'key' ? 'project_id, key_id' : GROUP_COLUMNS[groupBy];
  const sums = CELL_SUMS.map((column) => `sum(${column}) AS ${column}`);
  if (costs === true) sums.push('sum(cost_nano - own_cost_nano) AS borne_nano');
  return `SELECT ${id} AS id, ${sums.join(', ')}
    FROM rollups_${interval} WHERE start = ? AND ${conditions} GROUP BY ${order}`;
}

export interface Span {
  readonly first: number;
  /** Not included. */
  readonly end: number;
}

/**
 * The cells of each span, read interval by interval: the rows of one account are adjacent within each, and sorting a few of them at
 * a time is cheaper than sorting them all.
 */
export function* cellsOfEach(
  select: string,
  values: readonly SqlValue[],
  spans: readonly Span[],
): Steps<readonly (readonly Cell[])[]> {
  const starts = spans.flatMap(({ first, end }) => Array.from({ length: end - first }, (_, index) => first + index));
  const found = yield* rowsOfEach<Omit<Cell, 'start'>>(
    select,
    starts.map((start) => [start, ...values]),
  );
  let at = 0;
  return spans.map(({ first, end }) => {
    const rows = found.slice(at, at + end - first);
    at += end - first;
    return rows.flatMap((each, index) => each.map((row) => ({ ...row, start: first + index })));
  });
}
