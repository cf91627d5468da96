/** What the page is asked for, in its address: the time, what is summed, by what it is grouped, and what it is narrowed to. */
import type { Input } from '../../api/client.ts';
import { useQueryStates } from '../../navigation/use-query-state.ts';
import { type Range, type RangeState, useRange } from '../../navigation/use-range.ts';

export const GROUPS = ['model', 'key', 'project', 'provider'] as const;
export type GroupName = (typeof GROUPS)[number];
export const METRICS = ['spend', 'requests', 'tokens', 'errors'] as const;
export type MetricName = (typeof METRICS)[number];
export type UsageFilters = Readonly<Partial<Record<GroupName, string>>>;

export type UsageQuery = Input<'readUsage'>['query'] & Range['query'];

export interface UsageState {
  readonly range: RangeState;
  readonly metric: MetricName;
  readonly groupBy: GroupName;
  readonly filters: UsageFilters;
  /** Of the API. Filters go there as they stand in the address: it says what is wrong with them. */
  readonly query: UsageQuery;
  readonly change: (changes: Readonly<Record<string, string | null>>) => void;
}

export const GROUP_LABELS: Readonly<Record<GroupName, string>> = {
  model: 'Model',
  key: 'Key',
  project: 'Project',
  provider: 'Provider',
};
export const METRIC_LABELS: Readonly<Record<MetricName, string>> = {
  spend: 'Spend',
  requests: 'Requests',
  tokens: 'Tokens',
  errors: 'Errors',
};

export function useUsageState(): UsageState {
  const range = useRange('7d');
  const [search, change] = useQueryStates();
  const filters: Partial<Record<GroupName, string>> = {};
  for (const name of GROUPS) {
    const value = search.get(name);
    if (value !== null && value !== '') filters[name] = value;
  }
  const groupBy = GROUPS.find((name) => name === search.get('group_by')) ?? 'model';
  return {
    range,
    metric: METRICS.find((name) => name === search.get('metric')) ?? 'spend',
    groupBy,
    filters,
    query: { ...(filters as Readonly<Record<string, never>>), ...range.range.query, group_by: groupBy },
    change,
  };
}

/** Into a group: it becomes a filter, and the page shows what it consists of. */
export function intoGroup(groupBy: GroupName, id: string): Readonly<Record<string, string | null>> {
  const next: Readonly<Record<GroupName, GroupName>> = {
    model: 'key',
    key: 'model',
    project: 'key',
    provider: 'model',
  };
  return { [groupBy]: id, group_by: next[groupBy] === 'model' ? null : next[groupBy] };
}

const NAMED_THERE: ReadonlySet<string> = new Set(['1h', '24h', '7d', '30d']);

/** The calls that the page is about; a time that has a name there too keeps it, and so goes on. */
export function callsPath({ filters, range }: UsageState): string {
  const { name, from, to } = range.range;
  const time: Readonly<Record<string, string>> = NAMED_THERE.has(name)
    ? { range: name }
    : { from, ...(name === 'custom' || name === 'last_month' ? { to } : {}) };
  return `/calls?${new URLSearchParams({ ...filters, ...time })}`;
}
