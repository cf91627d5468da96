/** Consumption by time and group, from the hourly or daily rollups: they outlive records, and keys. */
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { UsageGrouping, UsageQuery, UsageReport } from '../../stats/ports.ts';
import type { KeptHours } from './kept-hours.ts';
import type { ReadDeadline } from './reader-database.ts';
import { type Cell, GroupSums, type SumColumn } from './usage-sums.ts';

/** All of a report but its latencies, which are no business of the ledger. */
export type UsageSumsReport = Omit<UsageReport, 'firstBytes'>;

export interface UsageParts {
  readonly ledger: DatabaseSync;
  readonly deadline: ReadDeadline;
  /** Of the same ledger. */
  readonly hours: KeptHours;
}

/** Throws `ReadTooLate`. */
export function readUsage(parts: UsageParts, query: UsageQuery): UsageSumsReport {
  const { ledger, deadline } = parts;
  const { first, end, groupBy } = query;
  const conditions = conditionsOf(ledger, query);
  const all = new GroupSums('all', '');
  const groups = new Map<bigint, GroupSums>();
  const previous = new GroupSums('all', '');
  if (conditions !== null) {
    const select = ledger.prepare(selectSums(query.interval, groupBy, conditions.sql));
    const cells =
      query.interval === 'hour'
        ? hourCells(parts, query, conditions, select)
        : eachCell(select, conditions.values, { first, end }, deadline);
    for (const cell of cells) {
      all.add(cell);
      if (groupBy === 'none') continue;
      const group = groups.get(cell.id) ?? new GroupSums('one', '');
      groups.set(cell.id, group);
      group.add(cell);
    }
    for (const cell of previousCells(parts, query, conditions)) previous.add(cell);
  }
  const told = groupBy === 'none' ? [all] : dearest(groups, query.groups, nameReader(ledger, groupBy));
  return {
    totals: all.totals(),
    previous: previous.totals(),
    groups: told.map((group) => group.tell(first, end - first)),
  };
}

interface Conditions {
  readonly sql: string;
  readonly values: readonly SQLInputValue[];
}

/** Null where a name is asked for that no call ever had. */
export function conditionsOf(
  ledger: DatabaseSync,
  query: Pick<UsageQuery, 'accountId' | 'projectId' | 'keyId' | 'model' | 'provider'>,
): Conditions | null {
  const { accountId, projectId, keyId, model, provider } = query;
  const values: SQLInputValue[] = [accountId];
  let sql = 'account_id = ?';
  for (const [column, id] of [
    ['project_id', projectId],
    ['key_id', keyId],
    ['model', model],
    ['provider', provider],
  ] as const) {
    if (id === null) continue;
    const value = typeof id === 'string' ? numberOfName(ledger, id) : id;
    if (value === null) return null;
    sql += ` AND ${column} = ?`;
    values.push(value);
  }
  return { sql, values };
}

/** The number of a name in the ledger; null where it has none. */
export function numberOfName(ledger: DatabaseSync, name: string): number | null {
  const row = ledger.prepare('SELECT id FROM names WHERE name = ?').get(name) as { id: number } | undefined;
  return row?.id ?? null;
}

const COLUMNS: Readonly<Record<Exclude<UsageGrouping, 'none'>, string>> = {
  model: 'model',
  provider: 'provider',
  key: 'key_id',
  project: 'project_id',
};

const SUMS: readonly SumColumn[] = [
  'calls',
  'failed',
  'prompt_tokens',
  'completion_tokens',
  'cached_tokens',
  'reasoning_tokens',
  'charge_nano',
];

/** Keys are grouped behind their projects, in the order in which the rows stand: nothing is sorted. */
export function selectSums(interval: 'hour' | 'day', groupBy: UsageGrouping, conditions: string): string {
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
export function* eachCell(
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
  { ledger, deadline, hours }: UsageParts,
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

/** Where they are whole days they are read from the sums of days, whatever was asked for. */
function previousCells(parts: UsageParts, query: UsageQuery, conditions: Conditions): Generator<Cell> {
  const { ledger, deadline } = parts;
  const { interval, first, end } = query;
  const span = { first: Math.max(0, first - (end - first)), end: first };
  const isWhole = span.first % HOURS_A_DAY === 0 && span.end % HOURS_A_DAY === 0;
  const asDays = interval === 'day' || isWhole;
  const select = ledger.prepare(selectSums(asDays ? 'day' : 'hour', 'none', conditions.sql));
  if (!asDays) return hourCells(parts, { ...query, ...span, groupBy: 'none' }, conditions, select);
  const days = interval === 'day' ? span : { first: span.first / HOURS_A_DAY, end: span.end / HOURS_A_DAY };
  return eachCell(select, conditions.values, days, deadline);
}

/** The dearest first; of those that cost the same, the one that was called most. The rest are one. */
function dearest(groups: Map<bigint, GroupSums>, most: number, nameOf: (id: bigint) => string): GroupSums[] {
  const sorted = [...groups].sort(
    ([leftId, left], [rightId, right]) => left.compare(right) || Number(leftId - rightId),
  );
  const told = sorted.slice(0, most).map(([id, group]) => group.named(nameOf(id)));
  if (sorted.length <= most) return told;
  const rest = new GroupSums('rest', '');
  for (const [, group] of sorted.slice(most)) rest.addAll(group);
  return [...told, rest];
}

export function nameReader(ledger: DatabaseSync, groupBy: UsageGrouping): (id: bigint) => string {
  if (groupBy === 'key' || groupBy === 'project') return String;
  const find = ledger.prepare('SELECT name FROM names WHERE id = ?');
  return (id) => (find.get(id) as { name: string }).name;
}
