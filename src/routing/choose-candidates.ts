/**
 * Step: from the names of models in a request to the candidates that can serve it, in order. Pure.
 *
 * The whole string is tried as an id first; then without the `[1m]` that coding assistants append to ask for a long context;
 * then as a bare name, if exactly one model that the key may use has it; then without a variant that only states a preference
 * among targets. Other variants (`:free`, `:online`, an `:8b` of Ollama's) are other models, at other prices, and are never
 * guessed.
 *
 * A name that is no id may be an alias of the caller's, for one or several models (`aliases.ts`), which comes before a bare name; and after
 * the requested model come those of `models`, each with candidates of its own.
 *
 * If the key may not use a model, the error is 403 `model_not_allowed` only if the request has its exact id. Every other miss
 * is 404 `model_not_found`. Its hints name only models and aliases the key may use: the nearest ones and, for a known model, the provider
 * that would have to be configured.
 */
import type { AliasRule } from '../catalog/alias.ts';
import type { Catalog, Model } from '../catalog/model.ts';
import { assert } from '../core/assert.ts';
import { GatewayError } from '../core/errors.ts';
import type { RoutePreferences, SortKey } from '../core/routing/route-preferences.ts';
import { type AliasModel, resolveAlias, servedBy } from './aliases.ts';
import { type Candidate, candidatesOf } from './candidate.ts';
import { nearestModels } from './nearest-models.ts';
import type { AliasPort, Caller } from './ports.ts';
import type { Note } from './reason.ts';
import { type UnservedModel, unservedAs } from './unserved-models.ts';

export interface Choice {
  /** The requested one, or the first that the key may use. */
  readonly model: Model;
  /** The one that the requested name means; null if it is an alias, which may mean several. */
  readonly named: Model | null;
  /** In order of preference; never empty. */
  readonly candidates: readonly Candidate[];
  /** By what the candidates of a model are sorted, as a suffix of its name says; null if none does. */
  readonly sorts: ReadonlyMap<Model, SortKey> | null;
}

/** What a request says about models. */
export interface Wanted {
  readonly model: string;
  readonly preferences?: Pick<RoutePreferences, 'models'>;
}

export interface ChoiceFacts {
  readonly catalog: Catalog;
  /** Is asked with exact ids. */
  readonly mayUse: (modelId: string) => boolean;
  readonly aliases: AliasPort;
  readonly caller: Caller;
}

const LONG_CONTEXT_SUFFIX = '[1m]';
/**
 * https://openrouter.ai/docs/features/provider-routing: by throughput, by price, by quality of tool calls. Nothing is known here about the
 * last.
 */
const SUFFIXES: ReadonlyMap<string, SortKey | null> = new Map([
  ['nitro', 'throughput'],
  ['floor', 'price'],
  ['exacto', null],
]);
/** An error quotes at most this much of the caller's model name. */
const SHOWN_CHARACTERS_MAX = 100;
const HINTS_MAX = 3;
/** Many hosts serve an open model. */
const PROVIDERS_SHOWN_MAX = 4;

/**
 * Throws `GatewayError` `model_not_found` for a name that nothing has, and `model_not_allowed` if the key may use none of the models. A model
 * of several that it may not use is left out.
 */
export function chooseCandidates(wanted: Wanted, facts: ChoiceFacts, note: Note | null): Choice {
  const others = wanted.preferences?.models ?? NO_NAMES;
  if (others.length === 0) {
    // Most calls have an id.
    const model = findExact(facts.catalog, wanted.model, facts.mayUse);
    if (model !== null) return { model, named: model, candidates: candidatesOf(model), sorts: null };
    const { named, models, sort } = findNamed(wanted.model, facts, note);
    if (named === null) return merged([{ named, models, sort }]);
    return {
      model: named,
      named,
      candidates: candidatesOf(named),
      sorts: sort === null ? null : new Map([[named, sort]]),
    };
  }
  return chooseSeveral([wanted.model, ...others], facts, note);
}

const NO_NAMES: readonly string[] = [];

function chooseSeveral(names: readonly string[], facts: ChoiceFacts, note: Note | null): Choice {
  const found: Found[] = [];
  let refusal: GatewayError | null = null;
  for (const name of names) {
    try {
      found.push(findNamed(name, facts, note));
    } catch (error) {
      if (!(error instanceof GatewayError) || error.code !== 'model_not_allowed') throw error;
      refusal ??= error;
      if (found.length === 0 && name === names[0]) found.push(NOTHING);
      if (note !== null) noteForbidden(name, facts, note);
    }
  }
  if (found.every(({ models }) => models.length === 0)) throw refusal ?? notFound(names[0] ?? '', facts);
  return merged(found);
}

/** The requested name's first; each candidate once. */
function merged(found: readonly Found[]): Choice {
  const candidates = new Set<Candidate>();
  const sorts = new Map<Model, SortKey>();
  const seen = new Set<Model>();
  for (const { models, sort } of found)
    for (const { model, provider } of models) {
      if (sort !== null && !seen.has(model)) sorts.set(model, sort);
      seen.add(model);
      for (const candidate of candidatesOf(model))
        if (provider === null || candidate.target.provider === provider) candidates.add(candidate);
    }
  const [first] = candidates;
  assert(first !== undefined, 'what was found has candidates');
  return {
    model: first.model,
    named: found[0]?.named ?? null,
    candidates: [...candidates],
    sorts: sorts.size === 0 ? null : sorts,
  };
}

function noteForbidden(name: string, { catalog }: ChoiceFacts, note: Note): void {
  const model = catalog.get(name);
  for (const candidate of model === undefined ? [] : candidatesOf(model)) note(candidate, 'not_allowed');
}

/** What a name means. */
interface Found {
  /** The only model; null if the name is an alias. */
  readonly named: Model | null;
  /** In the order in which they are tried, each with the only provider to ask, or null. */
  readonly models: readonly AliasModel[];
  readonly sort: SortKey | null;
}

const NOTHING: Found = { named: null, models: [], sort: null };

/** Throws `GatewayError` 403, 404. */
function findNamed(wanted: string, facts: ChoiceFacts, note: Note | null): Found {
  const { catalog, mayUse, aliases, caller } = facts;
  const exact = findExact(catalog, wanted, mayUse);
  if (exact !== null) return foundModel(exact, null);
  for (const { text, sort } of spellingsOf(wanted)) {
    const spelled = findExact(catalog, text, mayUse);
    if (spelled !== null) return foundModel(spelled, sort);
    const rule = aliases.find(text, caller);
    if (rule !== undefined) return { named: null, models: modelsOf(rule, facts, note), sort };
    const bare = findBare(catalog, text, mayUse);
    if (bare !== null) return foundModel(bare, sort);
  }
  throw notFound(wanted, facts);
}

function foundModel(model: Model, sort: SortKey | null): Found {
  return { named: model, models: [{ model, provider: null }], sort };
}

function modelsOf(rule: AliasRule, facts: ChoiceFacts, note: Note | null): readonly AliasModel[] {
  const { catalog, mayUse, aliases, caller } = facts;
  if (note !== null) for (const { model } of rule.targets) if (!mayUse(model)) noteForbidden(model, facts, note);
  return resolveAlias(rule, catalog, { rootId: caller.rootId, mayUse, random: aliases.random });
}

interface Spelling {
  readonly text: string;
  readonly sort: SortKey | null;
}

/** The ids that a string may mean if it is not an id itself. Each suffix is removed once; the rest is not parsed again. */
function spellingsOf(wanted: string): Spelling[] {
  const spellings: Spelling[] = [{ text: wanted, sort: null }];
  if (wanted.endsWith(LONG_CONTEXT_SUFFIX))
    spellings.push({ text: wanted.slice(0, -LONG_CONTEXT_SUFFIX.length), sort: null });
  const last = spellings.at(-1)?.text ?? wanted;
  const colon = last.lastIndexOf(':');
  const sort = colon === -1 ? undefined : SUFFIXES.get(last.slice(colon + 1));
  if (sort !== undefined) spellings.push({ text: last.slice(0, colon), sort });
  return spellings;
}

function findExact(catalog: Catalog, wanted: string, mayUse: (modelId: string) => boolean): Model | null {
  const model = catalog.get(wanted);
  if (model === undefined) return null;
  if (!mayUse(model.id))
    throw new GatewayError('model_not_allowed', {
      message: `This key is not allowed to use the model ${show(wanted)}.`,
      param: 'model',
    });
  return model;
}

function findBare(catalog: Catalog, name: string, mayUse: (modelId: string) => boolean): Model | null {
  if (name === '') return null;
  const allowed = catalog.named(name).filter(({ id }) => mayUse(id));
  if (allowed.length > 1)
    throw new GatewayError('model_not_found', {
      message: `Several models are named ${show(name)}: use ${oneOf(allowed.map(({ id }) => id).slice(0, HINTS_MAX))}.`,
      param: 'model',
    });
  return allowed[0] ?? null;
}

function notFound(wanted: string, facts: ChoiceFacts): GatewayError {
  const { catalog, mayUse } = facts;
  const nearest = nearestModels(catalog, wanted, mayUse, usableAliases(facts));
  const hint = nearest.length === 0 ? '' : ` Did you mean ${oneOf(nearest)}?`;
  const variant = variantOf(catalog, wanted, mayUse);
  if (variant !== null) {
    const { suffix, id } = variant;
    return new GatewayError('model_not_found', {
      message: `The model ${show(wanted)} does not exist: ${show(suffix)} asks for a variant with its own price, and no other is used in its place. Leave out ${show(suffix)} to use ${id} at its price.`,
      param: 'model',
      facts: { nearest_models: [id] },
    });
  }
  const missing = missingProviders(spellingsOf(wanted).flatMap(({ text }) => unservedAs(catalog, text, mayUse)));
  return new GatewayError('model_not_found', {
    message: `The model ${show(wanted)} does not exist${missing?.text ?? '.'}${hint}`,
    param: 'model',
    facts: { nearest_models: nearest, ...(missing === null ? {} : { needs: missing.variables }) },
  });
}

/** The names of the caller's aliases that lead to a model which its key may use. */
function usableAliases({ catalog, mayUse, aliases, caller }: ChoiceFacts): readonly string[] {
  const leads = ({ targets }: AliasRule) =>
    targets.some((target) => mayUse(target.model) && servedBy(target, catalog) !== null);
  return aliases
    .inForce(caller)
    .slice(0, ALIASES_COMPARED_MAX)
    .flatMap((rule) => (leads(rule) ? rule.name : []));
}

/** Members make aliases, so the work for an error is bounded; who has more knows their names. */
const ALIASES_COMPARED_MAX = 200;

/** The unknown suffix of a model that is served; null if more than the suffix is unknown. */
function variantOf(
  catalog: Catalog,
  wanted: string,
  mayUse: (modelId: string) => boolean,
): { readonly suffix: string; readonly id: string } | null {
  const colon = wanted.lastIndexOf(':');
  if (colon < 1) return null;
  const base = wanted.slice(0, colon);
  const allowed = [catalog.get(base), ...catalog.named(base)].filter(
    (model) => model !== undefined && mayUse(model.id),
  );
  const [model] = allowed;
  return allowed.length === 1 && model !== undefined ? { suffix: wanted.slice(colon), id: model.id } : null;
}

/** What would have to be configured, as the end of a sentence; null if the model is unknown. */
export function missingProviders(
  unserved: readonly UnservedModel[],
): { readonly text: string; readonly variables: readonly string[] } | null {
  if (unserved.length === 0) return null;
  const ids = [...new Set(unserved.map(({ model }) => model.id))].slice(0, HINTS_MAX);
  const names = new Map(
    unserved.flatMap(({ providers }) => providers.map((each) => [each.variable, each.displayName])),
  );
  const shown = [...names].map(([variable, displayName]) => `${displayName} (${variable})`);
  const more = shown.length - PROVIDERS_SHOWN_MAX;
  const oneOfThem = oneOf(more > 0 ? [...shown.slice(0, PROVIDERS_SHOWN_MAX), `one of ${more} more`] : shown);
  const text = `: ${oneOf(ids)} needs a provider that is not configured, ${oneOfThem}.`;
  return { text, variables: [...names.keys()] };
}

function show(wanted: string): string {
  return JSON.stringify(wanted.length > SHOWN_CHARACTERS_MAX ? `${wanted.slice(0, SHOWN_CHARACTERS_MAX)}…` : wanted);
}

/** `a`, `a or b`, `a, b or c`. */
function oneOf(ids: readonly string[]): string {
  return ids.length < 2 ? ids.join('') : `${ids.slice(0, -1).join(', ')} or ${ids.at(-1)}`;
}
