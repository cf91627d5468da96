import { type ReactElement, useState } from 'react';
import type { Provider } from '../../api/types.ts';
import { useApi } from '../../api/use-api.ts';
import { Button, Card, EmptyState, PageHeader, Table } from '../../components/index.ts';
import { useQueryStates } from '../../navigation/use-query-state.ts';
import { AddProviderDialog } from './add-provider-dialog.tsx';
import { DeleteProviderDialog } from './delete-provider-dialog.tsx';
import { EditProviderDialog } from './edit-provider-dialog.tsx';
import { isFailing } from './health.ts';
import { providerColumns, troubleBelow } from './provider-columns.tsx';
import { ProviderDrawer } from './provider-drawer.tsx';
import { placeOf } from './sources.ts';

/** Upstream providers; the open one is in the URL. */
export default function ProvidersPage(): ReactElement {
  const [query, change] = useQueryStates();
  const providers = useApi('listProviders', {}, { refetchInterval: 15_000 });
  const [asked, setAsked] = useState<{ readonly what: 'edit' | 'delete'; readonly provider: Provider } | null>(null);
  // Models that the connection test of a just-added provider found.
  const [added, setAdded] = useState<{ readonly name: string; readonly found: readonly string[] } | null>(null);
  const close = (): void => setAsked(null);
  const open = providers.data?.data.find((provider) => placeOf(provider) === query.get('provider'));
  const add = (
    <Button kind="primary" icon="plus" onClick={() => change({ new: '1', provider: null })}>
      Add provider
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Providers"
        description="Upstream providers. Changes apply immediately; running requests are not interrupted."
        actions={providers.data?.data.length !== 0 && add}
      />
      <Card flush>
        <Table
          label="Providers"
          columns={providerColumns}
          rows={providers.data?.data}
          rowKey={placeOf}
          error={providers.error}
          retry={() => void providers.refetch()}
          onRowClick={(provider) => change({ provider: placeOf(provider) })}
          isSelected={(provider) => provider === open}
          isBad={isFailing}
          noteOf={troubleBelow}
          empty={
            <EmptyState icon="providers" title="No providers yet" action={add}>
              Add a provider and its credential to use its models.
            </EmptyState>
          }
        />
      </Card>
      <ProviderDrawer
        provider={asked === null ? open : undefined}
        found={open !== undefined && added?.name === open.name ? added.found : null}
        onClose={() => {
          setAdded(null);
          change({ provider: null });
        }}
        onEdit={(provider) => setAsked({ what: 'edit', provider })}
        onDelete={(provider) => setAsked({ what: 'delete', provider })}
      />
      {asked?.what === 'edit' && <EditProviderDialog provider={asked.provider} onClose={close} />}
      {asked?.what === 'delete' && (
        <DeleteProviderDialog
          provider={asked.provider}
          onClose={close}
          onDone={() => {
            change({ provider: null });
            close();
          }}
        />
      )}
      {query.get('new') === '1' && (
        <AddProviderDialog
          taken={(providers.data?.data ?? []).map(({ name }) => name)}
          onClose={() => change({ new: null })}
          onAdded={(provider, found) => {
            setAdded({ name: provider.name, found });
            change({ new: null, provider: placeOf(provider) });
          }}
        />
      )}
    </>
  );
}
