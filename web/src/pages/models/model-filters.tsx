import type { ReactElement } from 'react';
import type { CatalogModel } from '../../api/types.ts';
import { Select, TextInput } from '../../components/index.ts';
import { formatCount } from '../../format/figures.ts';
import { useQueryStates } from '../../navigation/use-query-state.ts';

const CONTEXTS = [
  { value: '', label: 'Any context window' },
  { value: '32000', label: '32K or more' },
  { value: '128000', label: '128K or more' },
  { value: '200000', label: '200K or more' },
  { value: '1000000', label: '1M or more' },
];
const PRICES = [
  { value: '', label: 'Any price' },
  { value: '0', label: 'Free' },
  { value: '1', label: 'Up to $1' },
  { value: '5', label: 'Up to $5' },
  { value: '20', label: 'Up to $20' },
  { value: 'none', label: 'No price' },
];

export interface ModelFiltersProps {
  readonly models: readonly CatalogModel[];
  /** How many match; undefined while loading. */
  readonly count: number | undefined;
}

export function ModelFilters({ models, count }: ModelFiltersProps): ReactElement {
  const [query, change] = useQueryStates();
  const providers = distinct(models.flatMap((model) => model.providers));
  const modalities = distinct(models.flatMap((model) => [...model.input_modalities, ...model.output_modalities]));
  return (
    <div className="flex flex-wrap items-center gap-2 px-5 py-3">
      <TextInput
        type="search"
        aria-label="Search by name or ID"
        placeholder="Search by name or ID"
        value={query.get('search') ?? ''}
        onChange={(text) => change({ search: text })}
        className="sm:max-w-64"
      />
      <Select
        {...half('Provider')}
        value={query.get('provider') ?? ''}
        onChange={(provider) => change({ provider })}
        options={[{ value: '', label: 'Any provider' }, ...providers.map((name) => ({ value: name, label: name }))]}
      />
      <Select
        {...half('Modality')}
        value={query.get('modality') ?? ''}
        onChange={(modality) => change({ modality })}
        options={[{ value: '', label: 'Any modality' }, ...modalities.map((name) => ({ value: name, label: name }))]}
      />
      <Select
        {...half('Context window')}
        value={query.get('context') ?? ''}
        onChange={(context) => change({ context })}
        options={CONTEXTS}
      />
      <Select
        {...half('Price per million tokens')}
        value={query.get('price') ?? ''}
        onChange={(price) => change({ price })}
        options={PRICES}
      />
      <p role="status" className="figures ml-auto text-sm whitespace-nowrap text-muted max-sm:w-full">
        {count === undefined ? ' ' : count === 1 ? '1 model' : `${formatCount(count)} models`}
      </p>
    </div>
  );
}

/** Two per row on a phone. */
function half(label: string): { readonly 'aria-label': string; readonly className: string } {
  return { 'aria-label': label, className: 'w-[calc(50%-0.25rem)] sm:w-36' };
}

function distinct(names: readonly string[]): readonly string[] {
  return [...new Set(names)].sort();
}
