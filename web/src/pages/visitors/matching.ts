/** The models that match the search and filters in the URL, in the order that it states. */
import { tokenPrice } from '../../format/model-prices.ts';
import type { ShownModel } from './shown-model.ts';

export const FILTERS = ['search', 'input', 'output', 'ability', 'context', 'price'] as const;
export const COMPARED_MAX = 4;

/** What people look for among the parameters. */
export const ABILITIES: readonly (readonly [parameter: string, label: string])[] = [
  ['tools', 'Tools'],
  ['reasoning', 'Reasoning'],
  ['structured_outputs', 'Structured outputs'],
  ['web_search_options', 'Web search'],
];

export function matching(models: readonly ShownModel[], filters: URLSearchParams): readonly ShownModel[] {
  const words = (filters.get('search') ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  const input = filters.get('input') ?? '';
  const output = filters.get('output') ?? '';
  const ability = filters.get('ability') ?? '';
  const context = Number(filters.get('context') ?? 0);
  const price = filters.get('price') ?? '';
  return models.filter((model) => {
    const { abilities, id, name } = model;
    if (words.length > 0) {
      const text = `${id} ${name}`.toLowerCase();
      if (!words.every((word) => text.includes(word))) return false;
    }
    return (
      (input === '' || abilities.input_modalities.includes(input)) &&
      (output === '' || abilities.output_modalities.includes(output)) &&
      (ability === '' || abilities.supported_parameters.includes(ability)) &&
      (context === 0 || (model.context_length ?? 0) >= context) &&
      (price === '' || costsAtMost(model, Number(price)))
    );
  });
}

function costsAtMost({ pricing }: ShownModel, most: number): boolean {
  const input = tokenPrice(pricing, 'input');
  const output = tokenPrice(pricing, 'output');
  return input !== null && output !== null && Math.max(input, output) <= most;
}

/** The value that each column is sorted by; what is not known comes last. */
export const SORTS: Readonly<Record<string, (model: ShownModel) => string | number | null>> = {
  name: ({ name }) => name.toLowerCase(),
  context: ({ context_length }) => context_length,
  input: ({ pricing }) => tokenPrice(pricing, 'input'),
  output: ({ pricing }) => tokenPrice(pricing, 'output'),
  first_token: ({ first_token_p50_ms }) => first_token_p50_ms,
  uptime: ({ uptime_last_1d }) => uptime_last_1d,
  newest: ({ created }) => (created === 0 ? null : created),
};

/** `sort` as in the URL: `-context` is the largest first. */
export function inOrder(models: readonly ShownModel[], sort: string): readonly ShownModel[] {
  const sortBy = SORTS[sort.replace(/^-/, '')];
  if (sortBy === undefined) return models;
  const direction = sort.startsWith('-') ? -1 : 1;
  const keyed = models.map((model) => ({ model, key: sortBy(model) }));
  keyed.sort((one, other) => compare(one.key, other.key, direction));
  return keyed.map(({ model }) => model);
}

function compare(one: string | number | null, other: string | number | null, direction: number): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  return (one < other ? -1 : one > other ? 1 : 0) * direction;
}

/** The ids to compare, as in the URL; unknown ones are left out when they are looked up. */
export function comparedIds(query: URLSearchParams): readonly string[] {
  return [...new Set((query.get('compare') ?? '').split(',').filter(Boolean))].slice(0, COMPARED_MAX);
}

/** The ids after one was chosen, or removed. */
export function withCompared(ids: readonly string[], id: string, isCompared: boolean): readonly string[] {
  const others = ids.filter((each) => each !== id);
  return isCompared ? [...others, id].slice(0, COMPARED_MAX) : others;
}
