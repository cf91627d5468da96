import type { ReactElement } from 'react';
import { Select, TextInput } from '../../components/index.ts';
import { formatCount } from '../../format/figures.ts';
import { useQueryStates } from '../../navigation/use-query-state.ts';
import { ABILITIES } from './matching.ts';
import type { ShownModel } from './shown-model.ts';

const CONTEXTS = [
  { value: '', label: 'Any context' },
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
];

export interface VisitorFiltersProps {
  readonly models: readonly ShownModel[];
  /** How many match; undefined while loading. */
  readonly count: number | undefined;
}

/** Search and filters, in the URL. */
export function VisitorFilters({ models, count }: VisitorFiltersProps): ReactElement {
  const [query, change] = useQueryStates();
  const abilities = new Set(models.map((model) => model.abilities));
  const modalities = (read: 'input_modalities' | 'output_modalities') =>
    [...new Set([...abilities].flatMap((each) => each[read]))].sort().map((name) => ({ value: name, label: name }));
  const select = (name: string, label: string, options: readonly { value: string; label: string }[]) => (
    <Select
      aria-label={label}
      className="w-[calc(50%-0.25rem)] sm:w-32"
      value={query.get(name) ?? ''}
      onChange={(value) => change({ [name]: value })}
      options={options}
    />
  );
  return (
    <div className="flex flex-wrap items-center gap-2 px-5 py-3">
      <TextInput
        type="search"
        aria-label="Search by name or ID"
        placeholder="Search by name or ID"
        value={query.get('search') ?? ''}
        onChange={(text) => change({ search: text })}
        className="sm:max-w-48"
      />
      {select('input', 'Input', [{ value: '', label: 'Any input' }, ...modalities('input_modalities')])}
      {select('output', 'Output', [{ value: '', label: 'Any output' }, ...modalities('output_modalities')])}
      {select('ability', 'Ability', [
        { value: '', label: 'Any ability' },
        ...ABILITIES.map(([value, label]) => ({ value, label })),
      ])}
      {select('context', 'Context window', CONTEXTS)}
      {select('price', 'Price per million tokens', PRICES)}
      <p role="status" className="figures ml-auto text-sm whitespace-nowrap text-muted max-sm:w-full">
        {count === undefined ? ' ' : count === 1 ? '1 model' : `${formatCount(count)} models`}
      </p>
    </div>
  );
}
