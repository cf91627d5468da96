/** Models that match the search and filters in the URL. */
import type { CatalogModel } from '../../api/types.ts';
import { tokenPrice } from '../../format/model-prices.ts';

export const FILTERS = ['search', 'provider', 'modality', 'context', 'price'] as const;

export function fitting(models: readonly CatalogModel[], filters: URLSearchParams): readonly CatalogModel[] {
  const words = (filters.get('search') ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  const provider = filters.get('provider') ?? '';
  const modality = filters.get('modality') ?? '';
  const context = Number(filters.get('context') ?? 0);
  const price = filters.get('price') ?? '';
  return models.filter((model) => {
    const text = `${model.id} ${model.name}`.toLowerCase();
    return (
      words.every((word) => text.includes(word)) &&
      (provider === '' || model.providers.includes(provider)) &&
      (modality === '' || model.input_modalities.includes(modality) || model.output_modalities.includes(modality)) &&
      (context === 0 || (model.context_length ?? 0) >= context) &&
      (price === '' || isWithin(model, price))
    );
  });
}

/** The table sorts only the rows it has, so the list is sorted before it is cut. */
export function sortedModels(models: readonly CatalogModel[], sort: string | null): readonly CatalogModel[] {
  const sortBy = SORTS[sort?.replace(/^-/, '') ?? 'calls'];
  if (sortBy === undefined) return models;
  const direction = sort === null || sort.startsWith('-') ? -1 : 1;
  return [...models].sort((one, other) => compare(sortBy(one), sortBy(other), direction));
}

/** The sort value of each column. */
export const SORTS: Readonly<Record<string, (model: CatalogModel) => string | number | null>> = {
  name: (model) => model.name.toLowerCase(),
  context: (model) => model.context_length,
  input: (model) => tokenPrice(model.pricing, 'input'),
  output: (model) => tokenPrice(model.pricing, 'output'),
  first_byte: (model) => model.first_byte_p50_ms,
  calls: (model) => model.calls_7d,
};

function compare(one: string | number | null, other: string | number | null, direction: number): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  return (one < other ? -1 : one > other ? 1 : 0) * direction;
}

function isWithin({ pricing }: CatalogModel, price: string): boolean {
  const input = tokenPrice(pricing, 'input');
  const output = tokenPrice(pricing, 'output');
  if (price === 'none') return pricing.input === null || pricing.output === null;
  return input !== null && output !== null && Math.max(input, output) <= Number(price);
}
