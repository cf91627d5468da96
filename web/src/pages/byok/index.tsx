import { type ReactElement, useState } from 'react';
import { useMay } from '../../api/session.ts';
import { useApi, useChange } from '../../api/use-api.ts';
import { Button, Card, EmptyState, messageOf, notify, PageHeader, Table } from '../../components/index.ts';
import { useQueryStates } from '../../navigation/use-query-state.ts';
import type { OwnCredential } from './credential.ts';
import { type Asked, credentialColumns } from './credential-columns.tsx';
import { CredentialDialog } from './credential-dialog.tsx';
import { DeleteCredentialDialog } from './delete-credential-dialog.tsx';
import { RotateCredentialDialog } from './rotate-credential-dialog.tsx';
import { TestCredentialDialog } from './test-credential-dialog.tsx';

/** The account's own credentials for providers. In the URL: `new` for the dialog. */
export default function OwnCredentialsPage(): ReactElement {
  const [query, change] = useQueryStates();
  const credentials = useApi('listOwnCredentials', { query: { limit: 100 } });
  const providers = useApi('listOwnProviders', {}, { staleTime: 300_000 });
  const update = useChange('updateOwnCredential');
  const mayManage = useMay('admin');
  const [asked, setAsked] = useState<{ readonly what: Asked; readonly credential: OwnCredential } | null>(null);
  const close = (): void => setAsked(null);
  const columns = credentialColumns({
    mayManage,
    ask: (what, credential) => setAsked({ what, credential }),
    setDisabled: ({ id, name }, disabled) =>
      update.mutate(
        { params: { credential: id }, body: { disabled } },
        {
          onSuccess: () => notify({ title: `${name} ${disabled ? 'disabled' : 'enabled'}`, kind: 'good' }),
          onError: (error) => notify({ title: messageOf(error), kind: 'bad' }),
        },
      ),
  });
  const known = providers.data?.data ?? [];
  const add = mayManage && (
    <Button kind="primary" icon="plus" onClick={() => change({ new: '1' })}>
      Add credential
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Own credentials"
        description="Your own API keys for providers. Requests use them before, or instead of, the operator’s."
        actions={credentials.data?.data.length !== 0 && add}
      />
      <Card flush>
        <Table
          label="Own credentials"
          columns={columns}
          rows={credentials.data?.data}
          rowKey={({ id }) => id}
          error={credentials.error}
          retry={() => void credentials.refetch()}
          noteOf={({ problem }) => (problem === null ? null : <span className="text-bad-text">{problem}</span>)}
          empty={
            <EmptyState icon="lock" title="No own credentials" action={add || undefined}>
              Requests use the operator’s credentials.
            </EmptyState>
          }
        />
      </Card>
      {mayManage && query.get('new') === '1' && known.length > 0 && (
        <CredentialDialog credential={null} providers={known} onClose={() => change({ new: null })} />
      )}
      {asked?.what === 'edit' && (
        <CredentialDialog key={asked.credential.id} credential={asked.credential} providers={known} onClose={close} />
      )}
      {asked?.what === 'test' && <TestCredentialDialog credential={asked.credential} onClose={close} />}
      {asked?.what === 'rotate' && <RotateCredentialDialog credential={asked.credential} onClose={close} />}
      {asked?.what === 'delete' && <DeleteCredentialDialog credential={asked.credential} onClose={close} />}
    </>
  );
}
