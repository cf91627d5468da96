import type { Key } from '../../api/types.ts';
import { useApi } from '../../api/use-api.ts';

interface Choice {
  readonly value: string;
  readonly label: string;
}

export interface RouteChoices {
  /** The id of the chosen project; empty until the projects are known. */
  readonly project: string;
  readonly projects: readonly Choice[];
  /** The chosen key; null without one. */
  readonly key: Key | null;
  /** Those of the project that call models. */
  readonly keys: readonly Choice[];
  /** Ids of models, and the aliases of the project, its account and the installation. */
  readonly models: readonly Choice[];
  readonly providers: readonly string[];
  readonly error: unknown;
  readonly retry: () => void;
}

/** `projectId`, `keyId`: as the address has them; empty for none. A key chooses its project, otherwise the first one is chosen. */
export function useRouteChoices(projectId: string, keyId: string): RouteChoices {
  const projects = useApi('listProjects', { query: {} }, { staleTime: 60_000 });
  const chosenKey = useApi('readKey', { params: { key: keyId } }, { enabled: keyId !== '' });
  const catalog = useApi('listCatalog', {}, { staleTime: 300_000 });
  const aliases = useApi('listAliases', {}, { staleTime: 60_000 });
  const key = keyId === '' || chosenKey.data?.data.kind !== 'inference' ? null : chosenKey.data.data;
  const all = projects.data?.data ?? [];
  const isWaiting = keyId !== '' && chosenKey.isLoading;
  const first = key?.project.id ?? (isWaiting ? undefined : all[0]?.id);
  const project = projectId === '' ? String(first ?? '') : projectId;
  const keys = useApi(
    'listKeys',
    { query: { project, limit: 200, include_disabled: 'false' } },
    { enabled: project !== '', staleTime: 60_000 },
  );
  const known = (keys.data?.data ?? []).filter(({ kind }) => kind === 'inference');
  const listed = key === null || known.some(({ id }) => id === key.id) ? known : [key, ...known];
  const named = (aliases.data?.data ?? []).filter(
    (alias) => alias.project === null || String(alias.project.id) === project,
  );
  const models = catalog.data?.data ?? [];
  const failed = [projects, catalog, keys].find((query) => query.error !== null);
  return {
    project,
    projects: all.map(({ id, name }) => ({ value: String(id), label: name })),
    key,
    keys: listed.map(({ id, name, label }) => ({ value: String(id), label: `${name} · ${label}` })),
    models: [
      ...[...new Set(named.map(({ name }) => name))].map((name) => ({ value: name, label: `${name} (alias)` })),
      ...models.map(({ id }) => ({ value: id, label: id })),
    ],
    providers: [...new Set(models.flatMap(({ providers }) => providers))].toSorted(),
    error: failed?.error ?? null,
    retry: () => void failed?.refetch(),
  };
}
