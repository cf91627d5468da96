/**
 * OpenRouter's additions to a request that choose the provider. Here the operator chooses, so only empty values and preferences ("rather
 * this one") pass; conditions ("only this one") would be violated silently, and are refused by name.
 *
 * https://openrouter.ai/docs/features/provider-routing, https://openrouter.ai/docs/features/model-routing,
 * https://openrouter.ai/docs/features/message-transforms
 */
import { asArray, asObject } from '../../../core/json-object.ts';
import { isEmpty } from '../../kit/request/request-values.ts';
import type { OpenRouterField } from '../quirks.ts';

/** What is not accepted in a value. `path` is its name in errors, `reason` the end of a sentence. */
export interface Objection {
  readonly path: string;
  readonly reason: string;
}

/** Fields that only OpenRouter knows and strict providers refuse; OpenAI refuses `metadata` unless the answer is stored. */
export const OPENROUTER_FIELDS: readonly OpenRouterField[] = [
  ...(['usage', 'reasoning', 'include_reasoning', 'provider', 'models', 'route', 'transforms', 'plugins'] as const),
  'metadata',
];

/** A list of models is accepted if all of them are the requested one. */
export function objectionToModels(value: unknown, model: string): Objection | null {
  if (Array.isArray(value) && value.every((each) => each === model)) return null;
  return {
    path: 'models',
    reason: 'it lets another model answer, at a different price than the requested model',
  };
}

export function objectionToProvider(value: unknown): Objection | null {
  const preferences = asObject(value);
  if (preferences === null) return { path: 'provider', reason: 'it must be an object' };
  for (const [name, wanted] of Object.entries(preferences)) {
    if (isEmpty(wanted) || WISHES.has(name)) continue;
    const path = `provider.${name.slice(0, SHOWN_CHARACTERS)}`;
    const condition = Object.hasOwn(CONDITIONS, name) ? CONDITIONS[name] : undefined;
    if (condition === undefined) return { path, reason: 'it is unknown' };
    if (wanted !== condition.passes) return { path, reason: condition.reason };
  }
  return null;
}

/** A plugin that is switched off does nothing; `context-compression` does something only with a prompt that is too long. */
export function objectionToPlugins(value: unknown): Objection | null {
  if (!Array.isArray(value)) return { path: 'plugins', reason: 'it must be a list' };
  for (const [index, each] of value.entries()) {
    const plugin = asObject(each);
    if (plugin?.['enabled'] === false || plugin?.['id'] === COMPRESSION) continue;
    return {
      path: `plugins[${index}]`,
      reason: 'some plugins are charged separately from tokens, and others choose another model',
    };
  }
  return null;
}

/** Warnings about preferences in an accepted field that are not followed when the field is left out. */
export function wishesNotFollowed(field: string, value: unknown): readonly string[] {
  if (isEmpty(value)) return [];
  if (field === 'transforms') return [`transforms was left out: ${UNSHORTENED}`];
  if (field === 'plugins') return asArray(value).some(compresses) ? [`plugins was left out: ${UNSHORTENED}`] : [];
  if (field !== 'provider') return [];
  const wishes = Object.entries(asObject(value) ?? {}).filter(([name, wanted]) => WISHES.has(name) && !isEmpty(wanted));
  return wishes.map(([name]) => `provider.${name} was left out: the operator chooses the provider`);
}

/** Preferences: after `order` others are tried unless `allow_fallbacks` is false. */
const WISHES: ReadonlySet<string> = new Set(['order', 'sort', 'preferred_min_throughput', 'preferred_max_latency']);
const OTHERS = 'only the operator of this gateway chooses the provider of a call';
/** Conditions, each with OpenRouter's default value. */
const CONDITIONS: Readonly<Record<string, { readonly passes: unknown; readonly reason: string }>> = {
  allow_fallbacks: { passes: true, reason: 'the operator chooses what serves a call when a provider fails' },
  require_parameters: {
    passes: false,
    reason: 'parameters that the model does not support are left out, with a warning',
  },
  data_collection: { passes: 'allow', reason: 'this gateway does not know what its providers store' },
  zdr: { passes: false, reason: 'this gateway does not know what its providers store' },
  enforce_distillable_text: {
    passes: false,
    reason: "this gateway does not know which models' answers may be distilled",
  },
  only: { passes: null, reason: OTHERS },
  ignore: { passes: null, reason: OTHERS },
  quantizations: { passes: null, reason: OTHERS },
  max_price: { passes: null, reason: 'this gateway sets its own prices' },
};
const COMPRESSION = 'context-compression';
const UNSHORTENED = 'prompts that are too long are refused, not shortened';
/** How much of a name an error shows. */
const SHOWN_CHARACTERS = 64;

function compresses(each: unknown): boolean {
  const plugin = asObject(each);
  return plugin?.['id'] === COMPRESSION && plugin['enabled'] !== false;
}
