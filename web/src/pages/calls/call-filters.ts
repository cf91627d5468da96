/** Which requests a list shows: kept in the URL under the API's names for its filters. */
import type { Input } from '../../api/client.ts';
import { useQueryStates } from '../../navigation/use-query-state.ts';

export const FILTER_NAMES = [
  'status',
  'ending',
  'model',
  'provider',
  'key',
  'project',
  'streamed',
  'min_charge',
  'min_duration_ms',
  'user',
  'app',
  'metadata',
] as const;
export type FilterName = (typeof FILTER_NAMES)[number];
export type CallFilters = Readonly<Partial<Record<FilterName, string>>>;
/** Null removes a filter. */
export type FilterChanges = Readonly<Partial<Record<FilterName, string | null>>>;

/** As the API takes them. Values typed into the URL are passed on unchanged: the API reports what is wrong with them. */
export type CallQuery = NonNullable<Input<'followCalls'>['query']>;

export interface FilterState {
  readonly filters: CallFilters;
  readonly query: CallQuery;
  readonly change: (changes: FilterChanges) => void;
}

export function useCallFilters(): FilterState {
  const [search, change] = useQueryStates();
  const filters: Partial<Record<FilterName, string>> = {};
  for (const name of FILTER_NAMES) {
    const value = search.get(name);
    if (value !== null && value !== '') filters[name] = value;
  }
  return { filters, query: filters as CallQuery, change };
}

export const FILTER_LABELS: Readonly<Record<FilterName, string>> = {
  status: 'Status',
  ending: 'Ending',
  model: 'Model',
  provider: 'Provider',
  key: 'API key',
  project: 'Project',
  streamed: 'Streamed',
  min_charge: 'Minimum charge',
  min_duration_ms: 'Minimum latency',
  user: 'User',
  app: 'App',
  metadata: 'Metadata',
};
