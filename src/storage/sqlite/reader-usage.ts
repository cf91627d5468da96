/** Consumption by time and group, from the hourly or daily rollups: they outlive records, and keys. */
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { UsageGrouping, UsageQuery, UsageReport } from '../../stats/ports.ts';
import type { ReadDeadline } from './reader-database.ts';
import { type Cell, GroupSums, type SumColumn } from './usage-sums.ts';

/** All of a report but its latencies, which are no business of the ledger. */
export type UsageSumsReport = Omit<UsageReport, 'firstBytes'>;

/** Throws `ReadTooLate`. */
export function readUsage(ledger: DatabaseSync, query: UsageQuery, deadline: ReadDeadline): UsageSumsReport {
  const { first, end, groupBy } = query;
  const conditions = conditionsOf(ledger, query);
  const all = new GroupSums('all', '');
  const groups = new Map<bigint, GroupSums>();
  const previous = new GroupSums('all', '');
  if (conditions !== null) {
    const select = ledger.prepare(selectSums(query.interval, groupBy, conditions.sql));
    readEach(select, conditions.values, { first, end }, deadline, (cell) => {
      all.add(cell);
      if (groupBy === 'none') return;
      const group = groups.get(cell.id) ?? new GroupSums('one', '');
      groups.set(cell.id, group);
      group.add(cell);
    });
    readPrevious(ledger, query, conditions, deadline, (cell) => previous.add(cell));
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
function conditionsOf(ledger: DatabaseSync, query: UsageQuery): Conditions | null {
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
function selectSums(interval: 'hour' | 'day', groupBy: UsageGrouping, conditions: string): string {
  const id = groupBy === 'none' ? '0' : COLUMNS[groupBy];
  const order = groupBy === 'none' ? 'account_id' : groupBy === 'key' ? 'project_id, key_id' : COLUMNS[groupBy];
  return `SELECT ${id} AS id, ${SUMS.map((column) => `sum(${column}) AS ${column}`).join(', ')}
    FROM rollups_${interval} WHERE start = ? AND ${conditions} GROUP BY ${order}`;
}

/**
 * Interval by interval: the rows of one account lie together within each, and to sort some of them is cheaper than to
 * sort them all. The deadline is looked at between two.
 */
function readEach(
  select: StatementSync,
  values: readonly SQLInputValue[],
  { first, end }: { readonly first: number; readonly end: number },
  deadline: ReadDeadline,
  take: (cell: Cell) => void,
): void {
  select.setReadBigInts(true);
  for (let start = first; start < end; start += 1) {
    deadline.check();
    const rows = select.all(start, ...values) as unknown as Omit<Cell, 'start'>[];
    for (const row of rows) take({ ...row, start });
  }
}

const HOURS_A_DAY = 24;

/** Whole days are read from the sums of days, whatever was asked for. */
function readPrevious(
  ledger: DatabaseSync,
  { interval, first, end }: UsageQuery,
  conditions: Conditions,
  deadline: ReadDeadline,
  take: (cell: Cell) => void,
): void {
  const from = Math.max(0, first - (end - first));
  const isWhole = interval === 'hour' && from % HOURS_A_DAY === 0 && first % HOURS_A_DAY === 0;
  const select = ledger.prepare(selectSums(isWhole ? 'day' : interval, 'none', conditions.sql));
  const span = isWhole ? { first: from / HOURS_A_DAY, end: first / HOURS_A_DAY } : { first: from, end: first };
  readEach(select, conditions.values, span, deadline, take);
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

function nameReader(ledger: DatabaseSync, groupBy: UsageGrouping): (id: bigint) => string {
  if (groupBy === 'key' || groupBy === 'project') return String;
  const find = ledger.prepare('SELECT name FROM names WHERE id = ?');
  return (id) => (find.get(id) as { name: string }).name;
}
