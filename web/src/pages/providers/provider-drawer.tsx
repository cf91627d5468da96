import type { ReactElement } from 'react';
import type { Provider } from '../../api/types.ts';
import { useChange } from '../../api/use-api.ts';
import { Button, Drawer, ErrorNote, Facts, Menu, Note, Switch, Time, useKept } from '../../components/index.ts';
import { formatCount } from '../../format/figures.ts';
import { ConnectionReport } from './connection-report.tsx';
import { ModelSettings } from './model-settings.tsx';
import { ProviderState } from './provider-columns.tsx';
import { ProviderCredentials } from './provider-credentials.tsx';
import { ProviderHealth, TroubleNote } from './provider-health.tsx';
import { shownOptions } from './provider-option-fields.tsx';
import { placeOf, SOURCES, whyReadOnly } from './sources.ts';

export interface ProviderDrawerProps {
  readonly provider: Provider | undefined;
  /** Models found by the test of a new provider; null for other providers. */
  readonly found: readonly string[] | null;
  readonly onClose: () => void;
  readonly onEdit: (provider: Provider) => void;
  readonly onDelete: (provider: Provider) => void;
}

export function ProviderDrawer({
  provider: chosen,
  found,
  onClose,
  onEdit,
  onDelete,
}: ProviderDrawerProps): ReactElement {
  const provider = useKept(chosen);
  const isOurs = provider?.source === 'dashboard';
  return (
    <Drawer
      open={chosen !== undefined}
      onClose={onClose}
      title={provider?.name ?? 'Provider'}
      description={provider?.display_name === provider?.name ? undefined : provider?.display_name}
      actions={
        provider !== undefined &&
        isOurs && (
          <Menu
            label={`Actions for ${provider.name}`}
            items={[
              ...(whyReadOnly(provider) === null
                ? [{ label: 'Edit', icon: 'edit' as const, onSelect: () => onEdit(provider) }]
                : []),
              { label: 'Delete', icon: 'trash', danger: true, onSelect: () => onDelete(provider) },
            ]}
          />
        )
      }
    >
      {provider !== undefined && <Detail key={placeOf(provider)} provider={provider} found={found} onEdit={onEdit} />}
    </Drawer>
  );
}

interface DetailProps {
  readonly provider: Provider;
  readonly found: readonly string[] | null;
  readonly onEdit: (provider: Provider) => void;
}

function Detail({ provider, found, onEdit }: DetailProps): ReactElement {
  const test = useChange('testProvider');
  const update = useChange('updateProvider');
  const readOnly = whyReadOnly(provider);
  return (
    <div className="flex flex-col gap-6">
      {readOnly !== null && <Note>{readOnly}</Note>}
      {provider.problem !== null && <Note tone="bad">{provider.problem}</Note>}
      <TroubleNote provider={provider} />
      <Facts
        facts={[
          ['Health', <ProviderState key="state" provider={provider} />],
          [
            'Endpoint',
            <span key="address" className="font-mono text-sm break-all">
              {provider.calls_to.length === 0
                ? provider.origin
                : provider.calls_to.map((address) => (
                    <span key={address} className="block">
                      {address}
                    </span>
                  ))}
            </span>,
          ],
          ...shownOptions(provider.options),
          ['Credential', <Credential key="credential" provider={provider} />],
          ['API formats', provider.dialects.join(', ')],
          ['Models', formatCount(provider.models)],
          ['Source', `${SOURCES[provider.source].short}${provider.source === 'dashboard' ? '' : ', read-only'}`],
          [
            'Added',
            provider.created_at === null ? undefined : <Time key="added" at={provider.created_at} as="whole" />,
          ],
        ]}
      />
      {readOnly === null && (
        <div className="flex flex-col gap-3">
          <Switch
            checked={provider.is_enabled}
            disabled={update.isPending}
            onChange={(is_enabled) => update.mutate({ params: { provider: provider.name }, body: { is_enabled } })}
            label="Enabled"
            hint="When disabled, it gets no new requests. Running requests finish."
          />
          <ErrorNote error={update.error} />
        </div>
      )}
      <div className="flex flex-col gap-3">
        <div className="flex flex-wrap gap-2">
          <Button
            icon="refresh"
            loading={test.isPending}
            disabled={provider.is_shadowed}
            onClick={() => test.mutate({ params: { provider: provider.name } })}
          >
            Test connection
          </Button>
          {readOnly === null && (
            <Button icon="edit" onClick={() => onEdit(provider)}>
              Edit provider
            </Button>
          )}
        </div>
        <ConnectionReport report={test.data?.data} error={test.error} />
      </div>
      <ProviderCredentials provider={provider} isReadOnly={readOnly !== null} />
      {provider.health !== null && <ProviderHealth provider={provider} />}
      <ModelSettings
        provider={provider}
        isReadOnly={readOnly !== null}
        found={test.data?.data.model_names ?? found ?? NONE}
        isNext={found !== null && provider.models === 0}
      />
    </div>
  );
}

const NONE: readonly string[] = [];

function Credential({ provider }: { readonly provider: Provider }): ReactElement {
  if (provider.credentials.length > 1) return <span>{provider.credentials.length}, listed below</span>;
  if (provider.credential_hint !== null) return <span className="font-mono text-sm">…{provider.credential_hint}</span>;
  if (provider.own_credentials_only)
    return <span className="text-muted">none: only called with own credentials of accounts and projects</span>;
  if (provider.source !== 'dashboard') return <span className="text-muted">not stored here</span>;
  return <span className="text-muted">{provider.has_credential ? 'set' : 'none'}</span>;
}
