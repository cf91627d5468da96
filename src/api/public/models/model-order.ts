/** In which order OpenRouter's list of models is asked for, in its words; a list that is not sorted is in order of id. */
import type { PinnedRates } from '../../../billing/rates.ts';
import type { Model } from '../../../catalog/model.ts';
import { GatewayError } from '../../../core/errors.ts';
import { oneOf, type Query } from '../query.ts';
import { mapInTurns } from './in-turns.ts';
import { chargedLines } from './model-filters.ts';

export type ModelOrder = (models: readonly Model[]) => Promise<readonly Model[]>;

/** What is compared: less comes first, and what is not known last. */
type SortKey = (model: Model, rates: PinnedRates) => number | string;

const LAST = Number.POSITIVE_INFINITY;

const SORT_KEYS: Readonly<Record<string, SortKey>> = {
  'pricing-low-to-high': (model, rates) => priceOf(model, rates) ?? LAST,
  'pricing-high-to-low': (model, rates) => -(priceOf(model, rates) ?? -LAST),
  'context-high-to-low': ({ contextWindow }) => -(contextWindow ?? -LAST),
  newest: ({ created }) => (created === 0 ? LAST : -created),
  name: ({ name }) => name.toLowerCase(),
};

/** Null if the request states none. Throws `GatewayError` `invalid_value` for an unknown one. */
export function readOrder(query: Query, rates: PinnedRates): ModelOrder | null {
  const name = oneOf(query, 'sort');
  if (name === null) return null;
  const keyOf = Object.hasOwn(SORT_KEYS, name) ? SORT_KEYS[name] : undefined;
  if (keyOf === undefined)
    throw new GatewayError('invalid_value', {
      message: `sort must be one of ${Object.keys(SORT_KEYS).join(', ')}.`,
      param: 'sort',
    });
  return (models) => sorted(models, (model) => keyOf(model, rates));
}

/** For a token read and one written, in pico-USD. */
function priceOf(model: Model, rates: PinnedRates): number | null {
  const lines = chargedLines(model, rates);
  return lines === null ? null : Number(lines.input + lines.output);
}

/** Keys that are made before others run: about a millisecond. Sorting 20,000 of them takes some 15 ms. */
const KEYS_PER_TURN = 500;

/** Those with the same key stay in their order. */
async function sorted(models: readonly Model[], keyOf: (model: Model) => number | string): Promise<readonly Model[]> {
  const keyed = await mapInTurns(models, (model) => ({ model, key: keyOf(model) }), KEYS_PER_TURN);
  keyed.sort((a, b) => (a.key === b.key ? 0 : a.key < b.key ? -1 : 1));
  return keyed.map(({ model }) => model);
}
