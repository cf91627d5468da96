/**
 * OpenRouter's list of models, which Turnpike's `GET /api/v1/models` resembles: USD per unit as text.
 * https://openrouter.ai/docs/api-reference/list-available-models
 */
import { isObject } from '../../core/json-object.ts';
import { picoPerUnit, tokenCount } from './exact-json.ts';
import { type TableLines, type TablePrices, withTiers } from './table-prices.ts';

export interface OpenRouterModel {
  readonly id: string;
  readonly pricing: Readonly<Record<string, unknown>>;
  readonly expiration: unknown;
}

/** The models of the list, as far as they have an id and prices. */
export function openRouterModels(data: readonly unknown[]): OpenRouterModel[] {
  return data.flatMap((model) => {
    if (!isObject(model)) return [];
    const { id, pricing, expiration_date: expiration } = model;
    return typeof id === 'string' && isObject(pricing) ? [{ id, pricing, expiration }] : [];
  });
}

/** Null if the price is not known in advance. Throws a `RangeError` for what is no price. */
export function openRouterPrices({ pricing }: OpenRouterModel): TablePrices | null {
  const base = readLines(pricing);
  if (base === null) return null;
  const overrides = Array.isArray(pricing['overrides']) ? pricing['overrides'].filter(isObject) : [];
  return withTiers(
    base,
    overrides.map((tier) => {
      const lines = readLines(tier);
      if (lines === null) throw new RangeError('not a price: an override without prompt and completion');
      return { ...lines, abovePromptTokens: tokenCount(tier['min_prompt_tokens']) };
    }),
  );
}

function readLines(pricing: Readonly<Record<string, unknown>>): TableLines | null {
  const input = read(pricing['prompt']);
  const output = read(pricing['completion']);
  if (input === null || output === null) return null;
  return {
    input,
    output,
    cacheRead: unlessZero(pricing['input_cache_read']),
    cacheWrite: unlessZero(pricing['input_cache_write']),
    cacheWrite1h: unlessZero(pricing['input_cache_write_1h']),
    inputAudio: unlessZero(pricing['audio']),
    outputAudio: unlessZero(pricing['audio_output']),
    cacheReadAudio: null,
    inputImage: null,
    outputImage: null,
    reasoning: unlessZero(pricing['internal_reasoning']),
    request: unlessZero(pricing['request']),
    webSearch: unlessZero(pricing['web_search']),
    fileSearch: null,
    codeInterpreter: null,
  };
}

/** A line of 0 is one that is billed as another. */
function unlessZero(value: unknown): bigint | null {
  const price = read(value);
  return price === 0n ? null : price;
}

/** `-1` is a price that is not known in advance. */
function read(value: unknown): bigint | null {
  if (value === undefined || value === null || value === '-1') return null;
  return picoPerUnit(value, 1);
}
