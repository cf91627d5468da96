/**
 * From the model name in a request to the candidates that can serve it, in order. Pure.
 *
 * The whole string is tried as an id first; then without the `[1m]` that coding assistants append to ask for a long context;
 * then as a bare name, if exactly one model that the key may use has it; then without a variant that only states a preference
 * among targets. Other variants (`:free`, `:online`, an `:8b` of Ollama's) are other models, at other prices, and are never
 * guessed.
 *
 * If the key may not use a model, the error is 403 `model_not_allowed` only if the request has its exact id. Every other miss
 * is 404 `model_not_found`. Its hints name only models the key may use: the nearest ones and, for a known model, the provider
 * that would have to be configured.
 */
import type { Catalog, Model } from '../catalog/model.ts';
import { GatewayError } from '../core/errors.ts';
import { type Candidate, candidatesOf } from './candidate.ts';
import { nearestModels } from './nearest-models.ts';
import { type UnservedModel, unservedAs } from './unserved-models.ts';

export interface Choice {
  readonly model: Model;
  /** In order of preference; never empty. */
  readonly candidates: readonly Candidate[];
}

const LONG_CONTEXT_SUFFIX = '[1m]';
/** https://openrouter.ai/docs/features/provider-routing: by throughput, by price, by quality of tool calls. */
const PREFERENCES: ReadonlySet<string> = new Set(['nitro', 'floor', 'exacto']);
/** An error quotes at most this much of the caller's model name. */
const SHOWN_CHARACTERS_MAX = 100;
const HINTS_MAX = 3;

/** Throws `GatewayError` `model_not_found` or `model_not_allowed`. `mayUse` is asked with exact ids. */
export function chooseCandidates(catalog: Catalog, wanted: string, mayUse: (modelId: string) => boolean): Choice {
  const model = findModel(catalog, wanted, mayUse);
  if (model === null) throw notFound(catalog, wanted, mayUse);
  return { model, candidates: candidatesOf(model) };
}

function findModel(catalog: Catalog, wanted: string, mayUse: (modelId: string) => boolean): Model | null {
  const exact = findExact(catalog, wanted, mayUse);
  if (exact !== null) return exact;
  for (const spelling of spellingsOf(wanted)) {
    const model = findExact(catalog, spelling, mayUse) ?? findBare(catalog, spelling, mayUse);
    if (model !== null) return model;
  }
  return null;
}

/** The ids that a string may mean if it is not an id itself. Each suffix is removed once; the rest is not parsed again. */
function spellingsOf(wanted: string): string[] {
  const spellings = [wanted];
  if (wanted.endsWith(LONG_CONTEXT_SUFFIX)) spellings.push(wanted.slice(0, -LONG_CONTEXT_SUFFIX.length));
  const last = spellings.at(-1) ?? wanted;
  const colon = last.lastIndexOf(':');
  if (colon !== -1 && PREFERENCES.has(last.slice(colon + 1))) spellings.push(last.slice(0, colon));
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

function notFound(catalog: Catalog, wanted: string, mayUse: (modelId: string) => boolean): GatewayError {
  const nearest = nearestModels(catalog, wanted, mayUse);
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
  const missing = missingProviders(spellingsOf(wanted).flatMap((each) => unservedAs(catalog, each, mayUse)));
  return new GatewayError('model_not_found', {
    message: `The model ${show(wanted)} does not exist${missing?.text ?? '.'}${hint}`,
    param: 'model',
    facts: { nearest_models: nearest, ...(missing === null ? {} : { needs: missing.variables }) },
  });
}

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
  const oneOfThem = oneOf([...names].map(([variable, displayName]) => `${displayName} (${variable})`));
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
