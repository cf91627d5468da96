/** Consumption by time and group, from the hourly or daily rollups: they outlive records, and keys. */
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type {
  UsageGrouping,
  UsageGroupsPage,
  UsageGroupsQuery,
  UsageQuery,
  UsageReport,
  UsageSums,
} from '../../../stats/ports.ts';
import { type CellParts, type Conditions, cellsOf, intervalsOf, previousCells } from './usage-cells.ts';
import { GroupSums } from './usage-sums.ts';

/** All of a report but its latencies, which are no business of the ledger. */
export type UsageSumsReport = Omit<UsageReport, 'firstBytes'>;

/** Throws `ReadTooLate`. */
export function readUsage(parts: CellParts, query: UsageQuery): UsageSumsReport {
  return inOneView(parts.ledger, () => {
    const { ledger } = parts;
    const { groupBy } = query;
    const conditions = conditionsOf(ledger, query);
    const all = new GroupSums('all', '');
    const groups = new Map<bigint, GroupSums>();
    const previous = new GroupSums('all', '');
    if (conditions !== null) {
      for (const cell of cellsOf(parts, query, conditions)) {
        all.add(cell);
        if (groupBy !== 'none') groupOf(groups, cell.id).add(cell);
      }
      for (const cell of previousCells(parts, query, conditions)) previous.add(cell);
    }
    const told = groupBy === 'none' ? [all] : dearest(groups, query.groups, nameReader(ledger, groupBy));
    const { first, count } = intervalsOf(query);
    return {
      totals: all.totals(),
      previous: previous.totals(),
      groups: told.map((group) => group.tell(first, count)),
    };
  });
}

/** Every group has its place, whatever their number. Throws `ReadTooLate`. */
export function readUsageGroups(parts: CellParts, { query, sort, offset, limit }: UsageGroupsQuery): UsageGroupsPage {
  return inOneView(parts.ledger, () => {
    const { ledger } = parts;
    const conditions = conditionsOf(ledger, query);
    const groups = new Map<bigint, GroupSums>();
    if (conditions !== null) for (const cell of cellsOf(parts, query, conditions)) groupOf(groups, cell.id).add(cell);
    const nameOf = nameReader(ledger, query.groupBy);
    const rows = [...groups]
      .filter(([, { calls }]) => calls !== 0n)
      .map(([id, group]) => ({ id, sums: group.totals() }));
    const direction = sort.descending ? -1 : 1;
    const by = (sums: UsageSums): number | bigint =>
      sort.by === 'charge'
        ? sums.charge
        : sort.by === 'tokens'
          ? sums.promptTokens + sums.completionTokens
          : sums[sort.by];
    rows.sort((left, right) => compare(by(left.sums), by(right.sums)) * direction || Number(left.id - right.id));
    return {
      groups: rows.slice(offset, offset + limit).map(({ id, sums }) => ({ id: nameOf(id), sums })),
      count: rows.length,
    };
  });
}

function compare(left: number | bigint, right: number | bigint): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

/** What is added and taken away must be of one moment. */
function inOneView<Result>(ledger: DatabaseSync, read: () => Result): Result {
  ledger.exec('BEGIN');
  try {
    return read();
  } finally {
    ledger.exec('ROLLBACK');
  }
}

function groupOf(groups: Map<bigint, GroupSums>, id: bigint): GroupSums {
  const group = groups.get(id) ?? new GroupSums('one', '');
  groups.set(id, group);
  return group;
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

/** The dearest first; of those that cost the same, the one that was called most. The rest are one. */
function dearest(groups: Map<bigint, GroupSums>, most: number, nameOf: (id: bigint) => string): GroupSums[] {
  // Of other days than those of UTC a group may have only what was taken away again.
  const sorted = [...groups]
    .filter(([, { calls }]) => calls !== 0n)
    .sort(([leftId, left], [rightId, right]) => left.compare(right) || Number(leftId - rightId));
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
