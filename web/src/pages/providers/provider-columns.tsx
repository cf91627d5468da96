import type { ReactElement } from 'react';
import type { Provider } from '../../api/types.ts';
import { Badge, type Column, Duration, Link, StatusBadge, Time } from '../../components/index.ts';
import { formatCount, formatShare } from '../../format/figures.ts';
import { isTroubled, replacedWords, rowWords } from './health.ts';
import { placeOf, SOURCES } from './sources.ts';

export const providerColumns: readonly Column<Provider>[] = [
  {
    id: 'name',
    header: 'Provider',
    className: 'sm:w-full sm:min-w-48 sm:max-w-0',
    cell: (provider) => <Name provider={provider} />,
  },
  { id: 'state', header: 'Health', cell: (provider) => <ProviderState provider={provider} /> },
  {
    id: 'failed',
    header: 'Errors (5 min)',
    align: 'right',
    cell: ({ health }) => <span className="figures">{rateOf(health)}</span>,
  },
  {
    id: 'first-byte',
    header: 'First token (p50)',
    align: 'right',
    wideOnly: true,
    cell: ({ health }) => <Duration ms={health?.first_byte_p50_ms} />,
  },
  {
    id: 'last-good',
    header: 'Last success',
    cell: ({ health }) => <Time at={health?.last_good_at ?? null} />,
  },
  {
    id: 'models',
    header: 'Models',
    align: 'right',
    cell: ({ models }) => <span className="figures">{formatCount(models)}</span>,
  },
  {
    id: 'credential',
    header: 'Credential',
    cell: ({ credential_hint, credentials, has_credential, own_credentials_only: isOwnOnly }) =>
      credentials.length > 1 ? (
        <span className="figures">{credentials.length}</span>
      ) : credential_hint === null ? (
        <span className="text-muted">{has_credential ? 'set' : isOwnOnly ? 'own only' : '–'}</span>
      ) : (
        <span className="font-mono text-xs">…{credential_hint}</span>
      ),
  },
  {
    id: 'source',
    header: 'Source',
    cell: ({ source }) => <span className="whitespace-nowrap text-muted">{SOURCES[source].short}</span>,
  },
];

/** Why requests fail, below the row. */
export function troubleBelow(
  provider: Pick<Provider, 'health'> & Partial<Pick<Provider, 'credentials'>>,
): ReactElement | null {
  const { health } = provider;
  if (health === null || !isTroubled({ health })) return null;
  const replaced = replacedWords(provider);
  if (replaced !== null) return <span className="text-warn-text">{replaced}</span>;
  return (
    <span className={health.state === 'limited' ? 'text-warn-text' : 'text-bad-text'}>
      {rowWords(health)} {health.last_failure?.reason}
    </span>
  );
}

export function ProviderState({ provider }: { readonly provider: Provider }): ReactElement {
  if (provider.is_shadowed) return <Badge tone="warn">overridden</Badge>;
  if (!provider.is_enabled) return <Badge>disabled</Badge>;
  if (provider.problem !== null) return <Badge tone="bad">misconfigured</Badge>;
  if (replacedWords(provider) !== null) return <Badge tone="warn">credential rejected</Badge>;
  return provider.health === null ? <Badge>enabled</Badge> : <StatusBadge status={provider.health.state} />;
}

function rateOf(health: Provider['health']): string {
  return health?.error_rate === null || health === null ? '–' : formatShare(health.error_rate);
}

/** With the URL that requests go to, in the preferred format. */
function Name({ provider }: { readonly provider: Provider }): ReactElement {
  const address = provider.calls_to[0] ?? provider.origin;
  const slash = address.indexOf('/', address.indexOf('//') + 2);
  const pathAt = slash === -1 ? address.length : slash;
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
        <span className="ml-2 text-sm text-muted">{provider.display_name}</span>
      )}
      <span className="block font-mono text-xs wrap-anywhere text-muted">
        {address.slice(0, pathAt)}
        <wbr />
        {address.slice(pathAt)}
      </span>
    </div>
  );
}
