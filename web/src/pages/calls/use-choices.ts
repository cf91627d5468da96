/**
 * Options of the filters: what exists now, and what the account used in the last 30 days. Removed providers and revoked
 * keys still have requests.
 */
import { useApi } from '../../api/use-api.ts';
import { type Option, useNow } from '../../components/index.ts';
import type { CallFilters } from './call-filters.ts';

export interface Choices {
  readonly models: readonly Option[];
  readonly providers: readonly Option[];
  readonly keys: readonly Option[];
  readonly projects: readonly Option[];
}

const STALE_MS = 60_000;
const DAY_MS = 86_400_000;
const DAYS = 30;
const MOST = 200;

/** A selected value stays an option even if it no longer exists. */
export function useChoices(filters: CallFilters): Choices {
  const catalog = useApi('listCatalog', {}, { staleTime: STALE_MS }).data?.data ?? [];
  const keys = useApi('listKeys', { query: { include_revoked: 'true', limit: MOST } }, { staleTime: STALE_MS });
  const projects = useApi('listProjects', { query: { include_archived: 'true' } }, { staleTime: STALE_MS });
  const used = { models: useUsed('model'), providers: useUsed('provider'), keys: useUsed('key') };
  const plain = (value: string): Option => ({ value, label: value });
  const known = {
    models: catalog.map(({ id }) => plain(id)),
    providers: [...new Set(catalog.flatMap((model) => model.providers))].map(plain),
    keys: (keys.data?.data ?? []).map(named),
    projects: (projects.data?.data ?? []).map(named),
  };
  return {
    models: withCurrentOption(withUsed(known.models, used.models), filters.model, plain),
    providers: withCurrentOption(
      withUsed(known.providers, used.providers).toSorted((a, b) => (a.value < b.value ? -1 : 1)),
      filters.provider,
      plain,
    ),
    keys: withCurrentOption(withUsed(known.keys, used.keys), filters.key, numbered),
    projects: withCurrentOption(known.projects, filters.project, numbered),
  };
}

export function withCurrent(values: readonly string[], current: string | undefined): readonly string[] {
  return current === undefined || values.includes(current) ? values : [current, ...values];
}

/** Groups of the account's own requests, highest cost first. */
function useUsed(by: 'model' | 'provider' | 'key'): readonly Option[] {
  const today = Math.floor(useNow() / DAY_MS);
  const [from, to] = [today - DAYS + 1, today + 1].map((day) => new Date(day * DAY_MS).toISOString());
  const query = { from: from ?? '', to: to ?? '', interval: 'day', group_by: by, limit: MOST } as const;
  const groups = useApi('listUsageGroups', { query }, { staleTime: STALE_MS });
  return (groups.data?.data ?? []).map(({ id, name }) => ({ value: id, label: name }));
}

function withUsed(known: readonly Option[], used: readonly Option[]): readonly Option[] {
  const values = new Set(known.map(({ value }) => value));
  return [...known, ...used.filter(({ value }) => !values.has(value))];
}

function withCurrentOption(
  options: readonly Option[],
  current: string | undefined,
  make: (value: string) => Option,
): readonly Option[] {
  if (current === undefined || options.some((option) => option.value === current)) return options;
  return [make(current), ...options];
}

function named({ id, name }: { readonly id: number; readonly name: string }): Option {
  return { value: String(id), label: name };
}

function numbered(id: string): Option {
  return { value: id, label: `#${id}` };
}
