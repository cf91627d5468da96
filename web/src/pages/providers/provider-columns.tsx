import type { ReactElement } from 'react';
import type { Provider } from '../../api/types.ts';
import { Badge, type Column, Link } from '../../components/index.ts';
import { formatCount } from '../../format/figures.ts';
import { placeOf, SOURCES } from './sources.ts';

export const providerColumns: readonly Column<Provider>[] = [
  { id: 'name', header: 'Provider', cell: (provider) => <Name provider={provider} /> },
  { id: 'state', header: 'State', cell: (provider) => <ProviderState provider={provider} /> },
  {
    id: 'models',
    header: 'Models',
    align: 'right',
    cell: ({ models }) => <span className="figures">{formatCount(models)}</span>,
  },
  {
    id: 'origin',
    header: 'Address',
    wideOnly: true,
    className: 'max-w-64',
    cell: ({ origin }) => <span className="block truncate font-mono text-xs text-muted">{origin}</span>,
  },
  {
    id: 'credential',
    header: 'Credential',
    cell: ({ credential_hint, has_credential }) =>
      credential_hint === null ? (
        <span className="text-muted">{has_credential ? 'set' : '–'}</span>
      ) : (
        <span className="font-mono text-xs">…{credential_hint}</span>
      ),
  },
  {
    id: 'source',
    header: 'From',
    cell: ({ source }) => <span className="text-muted">{SOURCES[source].short}</span>,
  },
];

export function ProviderState({ provider }: { readonly provider: Provider }): ReactElement {
  if (provider.is_shadowed) return <Badge tone="warn">shadowed</Badge>;
  if (!provider.is_enabled) return <Badge>switched off</Badge>;
  if (provider.problem !== null) return <Badge tone="bad">does not work</Badge>;
  return <Badge tone="good">in use</Badge>;
}

function Name({ provider }: { readonly provider: Provider }): ReactElement {
  return (
    <div className="min-w-0">
      <Link
        href={`/providers?provider=${encodeURIComponent(placeOf(provider))}`}
        plain
        className="rounded font-medium break-all hover:underline"
      >
        {provider.name}
      </Link>
      {provider.display_name !== provider.name && (
        <span className="block text-sm text-muted">{provider.display_name}</span>
      )}
    </div>
  );
}
