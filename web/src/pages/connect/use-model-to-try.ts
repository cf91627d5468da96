import type { CatalogModel, Key } from '../../api/types.ts';
import { useApi } from '../../api/use-api.ts';
import { allowedBy, chooseModel } from './choose-model.ts';
import { MODEL_FALLBACK } from './tool.ts';

export interface ModelToTry {
  readonly model: string;
  /** Those that can be called, with the key where there is one. */
  readonly options: readonly CatalogModel[];
  /** What is known of the model; undefined for one that is not in the catalogue. */
  readonly entry: CatalogModel | undefined;
}

/** The model of the snippets: the one that is asked for, else the one used last by the key or account, else the cheapest. */
export function useModelToTry(asked = '', key: Key | null = null): ModelToTry {
  const catalog = useApi('listCatalog', {}, { staleTime: 300_000 });
  const isOpen = asked === '';
  const ofAccount = useApi('listCalls', { query: LAST }, { enabled: isOpen, staleTime: 60_000 });
  const ofKey = useApi(
    'listCalls',
    { query: { ...LAST, key: key?.id ?? 0 } },
    { enabled: isOpen && key !== null, staleTime: 60_000 },
  );
  const projects = useApi('listProjects', {}, { enabled: key !== null, staleTime: 60_000 });
  const project = projects.data?.data.find(({ id }) => id === key?.project.id);
  const isAllowed = allowedBy([key, project].flatMap((each) => (each == null ? [] : [each.permissions])));
  const options = (catalog.data?.data ?? []).filter((model) => model.is_usable && isAllowed(model.id));
  const isKnown = catalog.data !== undefined && !ofAccount.isLoading && !ofKey.isLoading && !projects.isLoading;
  const used = [...(ofKey.data?.data ?? []), ...(ofAccount.data?.data ?? [])].map((call) => call.model);
  const proposed = isKnown ? chooseModel({ catalog: catalog.data.data, used, isAllowed }) : MODEL_FALLBACK;
  const model = asked === '' ? proposed : asked;
  return { model, options, entry: catalog.data?.data.find(({ id }) => id === model) };
}

/** Some, because what was used last may be gone. */
const LAST = { status: 'ok', limit: 10 } as const;
