import type { Column } from '../../components/index.ts';
import { Duration } from '../../components/index.ts';
import { formatShort } from '../../format/figures.ts';
import { inputPartPrices, inputPrice, outputPartPrices, outputPrice } from '../../format/model-prices.ts';
import { SORTS } from './matching.ts';
import { AbilityBadges, Price, Uptime } from './model-words.tsx';
import type { ShownModel } from './shown-model.ts';

export interface Compared {
  readonly has: (id: string) => boolean;
  /** Whether no further model can be chosen. */
  readonly isFull: boolean;
  readonly set: (id: string, isCompared: boolean) => void;
}

export function visitorColumns(compared: Compared): readonly Column<ShownModel>[] {
  return [
    {
      id: 'name',
      header: 'Model',
      sortBy: by('name'),
      cell: ({ id, name }) => (
        <div className="min-w-0">
          <span className="block font-medium wrap-anywhere">{name}</span>
          <span className="block font-mono text-xs break-all text-muted">{id}</span>
        </div>
      ),
    },
    {
      id: 'context',
      header: 'Context',
      align: 'right',
      sortBy: by('context'),
      cell: ({ context_length: tokens }) => (
        <span className="figures">{tokens === null ? '–' : formatShort(tokens)}</span>
      ),
    },
    { id: 'abilities', header: 'Abilities', cell: (model) => <AbilityBadges model={model} /> },
    {
      id: 'input',
      header: 'Input',
      align: 'right',
      sortBy: by('input'),
      cell: ({ pricing }) => <Price text={inputPrice(pricing)} parts={inputPartPrices(pricing)} />,
    },
    {
      id: 'output',
      header: 'Output',
      align: 'right',
      sortBy: by('output'),
      cell: ({ pricing }) => <Price text={outputPrice(pricing)} parts={outputPartPrices(pricing)} />,
    },
    {
      id: 'first_token',
      header: 'First token',
      align: 'right',
      sortBy: by('first_token'),
      cell: (model) => <Duration ms={model.first_token_p50_ms} />,
    },
    {
      id: 'uptime',
      header: 'Uptime',
      align: 'right',
      sortBy: by('uptime'),
      cell: (model) => <Uptime percent={model.uptime_last_1d} />,
    },
    {
      id: 'compare',
      header: 'Compare',
      isAction: true,
      cell: ({ id, name }) => {
        const isCompared = compared.has(id);
        return (
          <label className="inline-flex items-center gap-2 text-sm text-muted">
            <input
              type="checkbox"
              aria-label={`Compare ${name}`}
              checked={isCompared}
              disabled={compared.isFull && !isCompared}
              onChange={(event) => compared.set(id, event.target.checked)}
              className="size-4 shrink-0 accent-accent"
            />
            Compare
          </label>
        );
      },
    },
  ];
}

function by(column: string): (model: ShownModel) => string | number | null {
  return (model) => SORTS[column]?.(model) ?? null;
}
