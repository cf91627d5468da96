/** Cells for the days of another time zone, from the daily and hourly sums. */
import type { UsageQuery } from '../../../stats/ports.ts';
import { CELL_SUMS, type Conditions, cellsOfEach, type Span, selectSums } from './rollup-cells.ts';
import type { Steps } from './steps.ts';
import type { Cell, SumColumn } from './usage-sums.ts';

const HOURS_PER_DAY = 24;

/**
 * For each day of the zone, takes the UTC day that overlaps most of it, and adds or subtracts the hours
 * in which the two differ: at most half a day, instead of the 24 hours of the day.
 */
export function* zoneDayCells(
  edges: readonly number[],
  grouping: Pick<UsageQuery, 'groupBy' | 'costs'>,
  { sql, values }: Conditions,
): Steps<readonly Cell[]> {
  const whole: Span[] = [];
  const parts: { readonly span: Span; readonly index: number; readonly isIn: boolean }[] = [];
  for (let index = 0; index + 1 < edges.length; index += 1) {
    const [begin, end] = [edges[index] as number, edges[index + 1] as number];
    const day = Math.floor((begin + end) / 2 / HOURS_PER_DAY);
    const [dayBegin, dayEnd] = [day * HOURS_PER_DAY, (day + 1) * HOURS_PER_DAY];
    whole.push({ first: day, end: day + 1 });
    for (const [span, isIn] of [
      [{ first: begin, end: dayBegin }, true],
      [{ first: dayBegin, end: begin }, false],
      [{ first: dayEnd, end }, true],
      [{ first: end, end: dayEnd }, false],
    ] as const)
      if (span.first < span.end) parts.push({ span, index, isIn });
  }
  const days = yield* cellsOfEach(selectSums('day', grouping, sql), values, whole);
  const hours = yield* cellsOfEach(
    selectSums('hour', grouping, sql),
    values,
    parts.map(({ span }) => span),
  );
  const byDay = days.map((cells, index) => cells.map((cell) => ({ ...cell, start: index })));
  for (const [at, { index, isIn }] of parts.entries())
    for (const cell of hours[at] as readonly Cell[])
      byDay[index]?.push(isIn ? { ...cell, start: index } : { ...negative(cell), start: index });
  return byDay.flat();
}

function negative(cell: Cell): Cell {
  const { id, start, borne_nano } = cell;
  return {
    id,
    start,
    ...(borne_nano !== undefined && { borne_nano: -borne_nano }),
    ...(Object.fromEntries(CELL_SUMS.map((column) => [column, -cell[column]])) as Record<SumColumn, bigint>),
  };
}
