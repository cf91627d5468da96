/** Usage by time and group, from the hourly or daily rollups, which outlive records and keys. */
import type {
  UsageGrouping,
  UsageGroupsPage,
  UsageGroupsQuery,
  UsageQuery,
  UsageReport,
  UsageSums,
} from '../../../stats/ports.ts';
import type { Conditions } from './rollup-cells.ts';
import { rowOf, rowsOfEach, type SqlValue, type Steps } from './steps.ts';
import { type CellParts, cellsOf, intervalsOf, previousCells } from './usage-cells.ts';
import { GroupSums } from './usage-sums.ts';

/** A report without its latencies, which are not in the ledger. */
export type UsageSumsReport = Omit<UsageReport, 'firstBytes'>;

/** Must be read from one snapshot of the ledger, because values are added and subtracted. */
export function* readUsage(parts: CellParts, query: UsageQuery): Steps<UsageSumsReport> {
  const { groupBy } = query;
  const conditions = yield* conditionsOf(query);
  const all = new GroupSums('all', '');
  const groups = new Map<bigint, GroupSums>();
  const previous = new GroupSums('all', '');
  if (conditions !== null) {
    for (const cell of yield* cellsOf(parts, query, conditions)) {
      all.add(cell);
      if (groupBy !== 'none') groupOf(groups, cell.id).add(cell);
    }
    for (const cell of yield* previousCells(parts, query, conditions)) previous.add(cell);
  }
  const reported = groupBy === 'none' ? [all] : yield* mostExpensive(groups, query.groups, groupBy);
  const { first, count } = intervalsOf(query);
  return {
    totals: all.totals(),
    previous: previous.totals(),
    groups: reported.map((group) => group.report(first, count)),
  };
}

/** Sorts and pages all groups, however many there are. Must be read from one snapshot of the ledger. */
export function* readUsageGroups(
  parts: CellParts,
  { query, sort, offset, limit }: UsageGroupsQuery,
): Steps<UsageGroupsPage> {
  const conditions = yield* conditionsOf(query);
  const groups = new Map<bigint, GroupSums>();
  if (conditions !== null)
    for (const cell of yield* cellsOf(parts, query, conditions)) groupOf(groups, cell.id).add(cell);
  const rows = [...groups].filter(([, { calls }]) => calls !== 0n).map(([id, group]) => ({ id, sums: group.totals() }));
  const direction = sort.descending ? -1 : 1;
  const by = (sums: UsageSums): number | bigint =>
    sort.by === 'charge'
      ? sums.charge
      : sort.by === 'tokens'
        ? sums.promptTokens + sums.completionTokens
        : sums[sort.by];
  rows.sort((left, right) => compare(by(left.sums), by(right.sums)) * direction || Number(left.id - right.id));
  const page = rows.slice(offset, offset + limit);
  const nameOf = yield* namesOf(
    query.groupBy,
    page.map(({ id }) => id),
  );
  return { groups: page.map(({ id, sums }) => ({ id: nameOf(id), sums })), count: rows.length };
}

function compare(left: number | bigint, right: number | bigint): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

function groupOf(groups: Map<bigint, GroupSums>, id: bigint): GroupSums {
  const group = groups.get(id) ?? new GroupSums('one', '');
  groups.set(id, group);
  return group;
}

/** Null if the query names a model or provider that no call ever had. */
export function* conditionsOf(
  query: Pick<UsageQuery, 'accountId' | 'projectId' | 'keyId' | 'model' | 'provider'>,
): Steps<Conditions | null> {
  const { accountId, projectId, keyId, model, provider } = query;
  const values: SqlValue[] = [accountId];
  let sql = 'account_id = ?';
  for (const [column, id] of [
    ['project_id', projectId],
    ['key_id', keyId],
    ['model', model],
    ['provider', provider],
  ] as const) {
    if (id === null) continue;
    const value = typeof id === 'string' ? yield* numberOfName(id) : id;
    if (value === null) return null;
    sql += ` AND ${column} = ?`;
    values.push(value);
  }
  return { sql, values };
}

/** The number of a name in the ledger, or null. */
function* numberOfName(name: string): Steps<bigint | null> {
  const row = yield* rowOf<{ id: bigint }>('SELECT id FROM names WHERE name = ?', [name]);
  return row?.id ?? null;
}

/** The most expensive groups first, then by number of calls. The rest are combined into one. */
function* mostExpensive(groups: Map<bigint, GroupSums>, most: number, groupBy: UsageGrouping): Steps<GroupSums[]> {
  // With the days of another time zone, everything of a group may have been subtracted again.
  const sorted = [...groups]
    .filter(([, { calls }]) => calls !== 0n)
    .sort(([leftId, left], [rightId, right]) => left.compare(right) || Number(leftId - rightId));
  const first = sorted.slice(0, most);
  const nameOf = yield* namesOf(
    groupBy,
    first.map(([id]) => id),
  );
  const named = first.map(([id, group]) => group.named(nameOf(id)));
  if (sorted.length <= most) return named;
  const rest = new GroupSums('rest', '');
  for (const [, group] of sorted.slice(most)) rest.addAll(group);
  return [...named, rest];
}

/** Returns a function from group ids to names: the name of a model or provider, the number of a key or project; empty without a grouping. */
export function* namesOf(groupBy: UsageGrouping, ids: readonly bigint[]): Steps<(id: bigint) => string> {
  if (groupBy === 'none') return () => '';
  if (groupBy === 'key' || groupBy === 'project') return String;
  const found = yield* rowsOfEach<{ name: string }>(
    'SELECT name FROM names WHERE id = ?',
    ids.map((id) => [id]),
  );
  const names = new Map(ids.map((id, index) => [id, found[index]?.[0]?.name]));
  return (id) => names.get(id) as string;
}
