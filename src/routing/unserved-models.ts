/**
 * Models in the price tables that are not served because no provider that has them is configured, and which providers those
 * are. For errors and lists; a successful call does not need it.
 */
import type { Catalog } from '../catalog/model.ts';
import { type KnownModel, knownModels } from '../catalog/models.ts';
import { findProviderKind } from '../providers/index.ts';

export interface UnservedModel {
  readonly model: KnownModel;
  readonly providers: readonly MissingProvider[];
}

/** A kind of provider that would serve the model once it is configured. */
export interface MissingProvider {
  readonly displayName: string;
  /** Setting this environment variable is enough to add the provider. */
  readonly variable: string;
}

/** In order of id. `known` is the built-in list unless a test brings its own. */
export function unservedModels(
  catalog: Pick<Catalog, 'all'>,
  known: readonly KnownModel[] = knownModels(),
): UnservedModel[] {
  const served = new Set(catalog.all().map(({ id }) => id));
  return known.flatMap((model) => (served.has(model.id) ? [] : (describe(model) ?? [])));
}

/**
 * The unserved models that a caller may mean by `spelling`: the one with this id, else all with this bare name. `mayUse`
 * receives exact ids and filters them.
 */
export function unservedAs(
  catalog: Pick<Catalog, 'get'>,
  spelling: string,
  mayUse: (modelId: string) => boolean,
  known: readonly KnownModel[] = knownModels(),
): UnservedModel[] {
  if (spelling === '') return [];
  const absent = known.filter(({ id }) => catalog.get(id) === undefined && mayUse(id));
  const exact = absent.filter((model) => spellingsOf(model).includes(spelling));
  const ending = `/${spelling}`;
  const found =
    exact.length > 0 ? exact : absent.filter((model) => spellingsOf(model).some((each) => each.endsWith(ending)));
  return found.flatMap((model) => describe(model) ?? []);
}

function spellingsOf({ id, aliases = [] }: KnownModel): readonly string[] {
  return [id, ...aliases];
}

/** Null for a model that no environment variable would add. */
function describe(model: KnownModel): UnservedModel | null {
  const kinds = new Set(model.targets.map(({ provider }) => provider));
  const providers = [...kinds].flatMap((name): MissingProvider[] => {
    const kind = findProviderKind(name);
    if (kind === null || kind.environmentVariable === null) return [];
    return [{ displayName: kind.displayName, variable: kind.environmentVariable }];
  });
  return providers.length === 0 ? null : { model, providers };
}
