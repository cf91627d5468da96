/** The state of the page, in its URL: time range, metric, grouping and filters. */
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
  /** For the API. Filters are passed on as they are in the URL: the API reports what is wrong with them. */
  readonly query: UsageQuery;
  readonly change: (changes: Readonly<Record<string, string | null>>) => void;
}

/** As in a sentence: `by API key`. */
export const GROUP_NOUNS: Readonly<Record<GroupName, string>> = {
  model: 'model',
  key: 'API key',
  project: 'project',
  provider: 'provider',
};
export const GROUP_LABELS: Readonly<Record<GroupName, string>> = {
  model: 'Model',
  key: 'API key',
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

/** Drills into a group: it becomes a filter, and the page shows its parts. */
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

/** The requests behind the report; a named range that the request list also has stays relative. */
export function callsPath({ filters, range }: UsageState): string {
  const { name, from, to } = range.range;
  const time: Readonly<Record<string, string>> = NAMED_THERE.has(name)
    ? { range: name }
    : { from, ...(name === 'custom' || name === 'last_month' ? { to } : {}) };
  return `/calls?${new URLSearchParams({ ...filters, ...time })}`;
}
