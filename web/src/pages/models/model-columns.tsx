import type { ReactElement } from 'react';
import type { CatalogModel } from '../../api/types.ts';
import { Badge, type Column, Duration, Link } from '../../components/index.ts';
import { formatShort } from '../../format/figures.ts';
import { inputPrice, outputPrice } from '../../format/model-prices.ts';
import { SORTS } from './fitting.ts';

export const modelColumns: readonly Column<CatalogModel>[] = [
  { id: 'name', header: 'Model', sortBy: by('name'), cell: (model) => <Name model={model} /> },
  {
    id: 'context',
    header: 'Context',
    align: 'right',
    sortBy: by('context'),
    cell: (model) => <span className="figures">{formatContext(model.context_length)}</span>,
  },
  {
    id: 'modalities',
    header: 'Input types',
    cell: (model) => <span className="text-muted">{model.input_modalities.join(', ') || '–'}</span>,
  },
  {
    id: 'providers',
    header: 'Providers',
    wideOnly: true,
    className: 'max-w-44',
    cell: ({ providers }) => <span className="block truncate text-muted">{providers.join(', ')}</span>,
  },
  {
    id: 'input',
    header: 'Input',
    align: 'right',
    sortBy: by('input'),
    cell: (model) => <Price text={inputPrice(model.pricing)} />,
  },
  {
    id: 'output',
    header: 'Output',
    align: 'right',
    sortBy: by('output'),
    cell: (model) => <Price text={outputPrice(model.pricing)} />,
  },
  {
    id: 'first_byte',
    header: 'First token',
    align: 'right',
    sortBy: by('first_byte'),
    cell: (model) => <Duration ms={model.first_byte_p50_ms} />,
  },
  {
    id: 'calls',
    header: 'Requests (7 days)',
    align: 'right',
    wideOnly: true,
    sortBy: by('calls'),
    cell: (model) => <span className="figures">{formatShort(model.calls_7d)}</span>,
  },
];

/** `128K`, `1M`. */
export function formatContext(tokens: number | null): string {
  return tokens === null ? '–' : formatShort(tokens);
}

function by(column: string): (model: CatalogModel) => string | number | null {
  return (model) => SORTS[column]?.(model) ?? null;
}

function Price({ text }: { readonly text: string }): ReactElement {
  return <span className="figures whitespace-nowrap">{text}</span>;
}

function Name({ model }: { readonly model: CatalogModel }): ReactElement {
  return (
    <div className="min-w-0">
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <Link href={hrefOf(model)} plain className="rounded font-medium wrap-anywhere hover:underline">
          {model.name}
        </Link>
        {!model.is_usable && <Badge tone="warn">no price</Badge>}
      </span>
      <span className="block font-mono text-xs break-all text-muted">{model.id}</span>
    </div>
  );
}

/** The current page, with this model open. */
function hrefOf(model: CatalogModel): string {
  const query = new URLSearchParams(window.location.search);
  query.set('model', model.id);
  return `/models?${query}`;
}
