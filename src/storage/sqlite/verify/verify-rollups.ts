/** Verifies that hourly and daily sums equal those of the settlements, in every dimension. */
import type { DatabaseSync } from 'node:sqlite';
import { dayOf } from '../../../core/calendar.ts';
import { firstDayOfMonth } from '../../sql/ledger/ledger-months.ts';
import {
  ROLLUP_COLUMNS,
  ROLLUP_DIMENSIONS,
  ROLLUP_SUMS,
  settledColumns,
  settledInOf,
} from '../../sql/ledger/rollup-columns.ts';
import type { LedgerView } from '../archive/ledger-view.ts';
import { settlementColumnsIn } from '../archive/settlement-columns-in.ts';
import { bigStatement } from '../engine/open-read-only.ts';
import type { Findings } from './findings.ts';

const DAY_MS = 86_400_000;
export const SPANS = [
  { table: 'rollups_hour', what: 'hour', spanMs: 3_600_000 },
  { table: 'rollups_day', what: 'day', spanMs: DAY_MS },
] as const;
/** The number of leading columns that identify a row. */
const DIMENSIONS = ROLLUP_DIMENSIONS.length;
const NEVER = Number.MAX_SAFE_INTEGER;

/** A row of a table of sums, in the order of its columns. */
export type SumsRow = readonly bigint[];
type Row = SumsRow;
export type Span = (typeof SPANS)[number];

/** Sums of sealed months are checked if their archives are available. */
export function verifyRollups(view: LedgerView, findings: Findings): void {
  for (const { fromMs, toMs, sources } of stretches(view))
    for (const span of SPANS) verifySpan(view.database, span, { fromMs, toMs, sources }, findings);
}

interface Stretch {
  readonly fromMs: number;
  readonly toMs: number;
  /** The databases with its settlements. */
  readonly sources: readonly DatabaseSync[];
}

function stretches(view: LedgerView): Stretch[] {
  const live = { fromMs: view.liveDay * DAY_MS, toMs: NEVER, sources: [view.database] };
  if (!view.isWhole) return [live];
  const found: Stretch[] = [];
  let doneMs = 0;
  for (const { month, database } of view.present()) {
    const fromMs = firstDayOfMonth(month) * DAY_MS;
    const toMs = firstDayOfMonth(month, 1) * DAY_MS;
    if (fromMs > doneMs) found.push({ fromMs: doneMs, toMs: fromMs, sources: [view.database] });
    found.push({ fromMs, toMs, sources: [view.database, database] });
    doneMs = toMs;
  }
  return [...found, live];
}

function verifySpan(database: DatabaseSync, span: Span, { fromMs, toMs, sources }: Stretch, findings: Findings): void {
  const { table, spanMs } = span;
  const settled = merge(sources.map((source) => settledSums(source, span, fromMs, toMs)));
  const kept = rowsOf(database, keptSums(table), Math.ceil(fromMs / spanMs), Math.ceil(toMs / spanMs));
  compareSums(settled, kept, span, findings);
}

/** What the settlements of a database add up to, in order; `fromMs` and `toMs` are times of admission. */
export function settledSums(database: DatabaseSync, { spanMs }: Span, fromMs: number, toMs: number): Iterator<Row> {
  return rowsOf(database, sumsOf(spanMs, database), fromMs, toMs);
}

/** Both in the order of their dimensions. */
export function compareSums(
  settled: Iterator<Row>,
  kept: Iterator<Row>,
  { what, spanMs }: Span,
  findings: Findings,
): void {
  let expected = settled.next();
  let found = kept.next();
  while (expected.done !== true || found.done !== true) {
    const order =
      expected.done === true ? 1 : found.done === true ? -1 : compareDimensions(expected.value, found.value);
    const row = (order <= 0 ? expected.value : found.value) as Row;
    const wrong =
      order < 0
        ? 'it is missing'
        : order > 0
          ? 'there is no such settlement'
          : difference(found.value as Row, expected.value as Row);
    if (wrong !== null) findings.add('rollup_is_the_sum', subject(what, spanMs, row), wrong);
    if (order <= 0) expected = settled.next();
    if (order >= 0) found = kept.next();
  }
}

function sumsOf(spanMs: number, source: DatabaseSync): string {
  const columns = ROLLUP_DIMENSIONS.map((_column, index) => index + 1).join(', ');
  const there = settlementColumnsIn(source, 'main');
  const sums = ROLLUP_SUMS.map((name) => `sum(${settledInOf(name, there)})`);
  return `SELECT ${settledColumns(spanMs).slice(0, DIMENSIONS).join(', ')}, ${sums.join(', ')}
    FROM settlements WHERE admitted_at >= ? AND admitted_at < ? GROUP BY ${columns} ORDER BY ${columns}`;
}

function keptSums(table: string): string {
  return `SELECT ${ROLLUP_COLUMNS.join(', ')} FROM ${table} WHERE start >= ? AND start < ?
    ORDER BY ${ROLLUP_DIMENSIONS.join(', ')}`;
}

function rowsOf(database: DatabaseSync, sql: string, from: number, to: number): Iterator<Row> {
  const statement = bigStatement(database, sql);
  statement.setReturnArrays(true);
  return statement.iterate(from, to) as unknown as Iterator<Row>;
}

/** Merges sorted sources; rows with the same dimensions are added up. */
function* merge(sources: readonly Iterator<Row>[]): Generator<Row, undefined> {
  const heads = sources.map((source) => source.next());
  for (;;) {
    let least: Row | null = null;
    for (const head of heads)
      if (head.done !== true && (least === null || compareDimensions(head.value, least) < 0)) least = head.value;
    if (least === null) return undefined;
    let sum: Row | null = null;
    for (const [index, head] of heads.entries()) {
      if (head.done === true || compareDimensions(head.value, least) !== 0) continue;
      sum = sum === null ? head.value : added(sum, head.value);
      heads[index] = (sources[index] as Iterator<Row>).next();
    }
    yield sum as Row;
  }
}

function added(left: Row, right: Row): Row {
  return left.map((value, index) => (index < DIMENSIONS ? value : value + (right[index] as bigint)));
}

function compareDimensions(left: Row, right: Row): number {
  for (let index = 0; index < DIMENSIONS; index += 1) {
    const [one, other] = [left[index] as bigint, right[index] as bigint];
    if (one !== other) return one < other ? -1 : 1;
  }
  return 0;
}

function difference(found: Row, expected: Row): string | null {
  for (let index = DIMENSIONS; index < ROLLUP_COLUMNS.length; index += 1)
    if (found[index] !== expected[index])
      return `${ROLLUP_COLUMNS[index]} is ${found[index]}, and the settlements add up to ${expected[index]}`;
  return null;
}

/** The row in words; its first columns are the dimensions. */
export function subject(what: string, spanMs: number, row: Row): string {
  const startMs = Number(row[0]) * spanMs;
  const time = new Date(startMs).toISOString();
  const shown = spanMs === DAY_MS && dayOf(startMs) >= 0 ? time.slice(0, 10) : time.slice(0, 16);
  return `${what} ${shown}, account ${row[1]}, project ${row[2]}, key ${row[3]}, model ${row[4]}, provider ${row[5]}`;
}
