import { type ReactElement, useId, useState } from 'react';
import type { Provider } from '../../api/types.ts';
import { useChange } from '../../api/use-api.ts';
import {
  Button,
  type Column,
  ErrorNote,
  Field,
  IconButton,
  notify,
  StatusBadge,
  Table,
  Time,
} from '../../components/index.ts';
import { complaintAbout, isAboutNone } from '../../forms/complaint.ts';
import { CredentialInput } from './credential-input.tsx';

type Credential = Provider['credentials'][number];

export interface ProviderCredentialsProps {
  readonly provider: Provider;
  readonly isReadOnly: boolean;
}

/** The credentials that requests take turns with, each with its state; nothing to see for a provider with one that cannot get another. */
export function ProviderCredentials({ provider, isReadOnly }: ProviderCredentialsProps): ReactElement | null {
  const remove = useChange('removeProviderCredential');
  const { credentials, name } = provider;
  const isSingle = credentials.length < 2 && !credentials.some(isRejected);
  if (credentials.length === 0 || (isReadOnly && isSingle)) return null;
  const columns: readonly Column<Credential>[] = [
    {
      id: 'hint',
      header: 'Credential',
      cell: (credential) => (
        <span className="font-mono text-sm">
          {credential.hint === null ? `number ${credentials.indexOf(credential) + 1}` : `…${credential.hint}`}
        </span>
      ),
    },
    {
      id: 'state',
      header: 'State',
      cell: ({ state, rejected_for, rests_until }) => (
        <span className="flex flex-wrap items-center gap-2">
          <StatusBadge status={rejected_for.length > 0 ? 'rejected' : state} />
          {rejected_for.length > 0 && <span className="text-muted">for {rejected_for.join(', ')}</span>}
          {rests_until !== null && (
            <span className="text-muted">
              next try <Time at={rests_until} />
            </span>
          )}
        </span>
      ),
    },
    {
      id: 'remove',
      header: 'Remove',
      isAction: true,
      align: 'right',
      cell: ({ id, hint }) =>
        id !== null && (
          <IconButton
            icon="trash"
            label={`Remove the credential ${hint === null ? id : `ending in ${hint}`}`}
            disabled={remove.isPending}
            onClick={() =>
              remove.mutate(
                { params: { provider: name, credential: id } },
                { onSuccess: () => notify({ title: 'Credential removed', kind: 'good' }) },
              )
            }
          />
        ),
    },
  ];
  return (
    <section className="flex flex-col gap-3">
      <h3 className="font-semibold">Credentials</h3>
      <Table
        label="Credentials"
        columns={columns}
        rows={credentials}
        rowKey={(credential) => credentials.indexOf(credential)}
        isBad={isRejected}
      />
      <ErrorNote error={remove.error} />
      {!isReadOnly && <AddCredential provider={name} />}
    </section>
  );
}

function isRejected({ state, rejected_for }: Credential): boolean {
  return state === 'rejected' || rejected_for.length > 0;
}

function AddCredential({ provider }: { readonly provider: string }): ReactElement {
  const form = useId();
  const add = useChange('addProviderCredential');
  const [credential, setCredential] = useState('');
  return (
    <form
      id={form}
      autoComplete="off"
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        add.mutate(
          { params: { provider }, body: { credential: credential.trim() } },
          {
            onSuccess: () => {
              setCredential('');
              notify({ title: 'Credential added', kind: 'good' });
            },
          },
        );
      }}
    >
      <Field
        label="Another credential"
        hint="Requests take turns with all credentials; one that is rejected or rate limited rests alone."
        error={complaintAbout(add.error, 'credential')}
      >
        <CredentialInput value={credential} onChange={setCredential} />
      </Field>
      {isAboutNone(add.error, ['credential']) && <ErrorNote error={add.error} />}
      <div>
        <Button type="submit" icon="plus" loading={add.isPending} disabled={credential.trim() === ''}>
          Add credential
        </Button>
      </div>
    </form>
  );
}
