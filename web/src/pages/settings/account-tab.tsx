import { type ReactElement, useState } from 'react';
import { useMay } from '../../api/session.ts';
import type { Account } from '../../api/types.ts';
import { useApi, useChange } from '../../api/use-api.ts';
import {
  Button,
  Card,
  ErrorNote,
  ErrorState,
  Facts,
  Field,
  fieldError,
  notify,
  SkeletonLines,
  TextInput,
  Time,
} from '../../components/index.ts';
import { describeLimits, describePermissions } from '../../forms/describe.ts';
import { CaptureCard } from './capture-card.tsx';
import { CloseAccount } from './close-account.tsx';

/** The account of the page; read-only unless the person is an owner. */
export function AccountTab(): ReactElement {
  const account = useApi('readAccount', {});
  const isOwner = useMay('owner');
  if (account.data === undefined) {
    return (
      <Card>
        {account.error === null ? (
          <SkeletonLines lines={6} />
        ) : (
          <ErrorState error={account.error} retry={() => void account.refetch()} />
        )}
      </Card>
    );
  }
  const { data } = account.data;
  const mayChange = isOwner && data.closed_at === null;
  return (
    <div className="flex flex-col gap-6">
      <Card title="Account">
        {mayChange ? <NameForm account={data} /> : <p className="mb-4 font-medium wrap-anywhere">{data.name}</p>}
        <Facts
          facts={[
            [
              'ID',
              <span key="id" className="figures">
                {data.id}
              </span>,
            ],
            ['Created', <Time key="since" at={data.created_at} as="whole" />],
            ['Billing', BILLING[data.billing_mode]],
            ['Limits', describeLimits(data.limits).join(', ') || 'none'],
            ['Access', describePermissions(data.permissions).join(', ') || 'all models, from any IP address'],
          ]}
        />
      </Card>
      <CaptureCard account={data} mayChange={mayChange} />
      {mayChange && <CloseAccount account={data} />}
    </div>
  );
}

const BILLING: Readonly<Record<Account['billing_mode'], string>> = {
  prepaid: 'Prepaid',
  postpaid: 'Postpaid',
  off: 'Off: usage is metered but not charged',
};

function NameForm({ account }: { readonly account: Account }): ReactElement {
  const update = useChange('updateAccount');
  const [name, setName] = useState(account.name);
  const error = fieldError(update.error, 'name');
  return (
    <form
      className="mb-5 flex max-w-md flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        update.mutate({ body: { name } }, { onSuccess: () => notify({ title: 'Account renamed', kind: 'good' }) });
      }}
    >
      <Field label="Name" error={error}>
        <div className="flex gap-2">
          <TextInput value={name} onChange={setName} required maxLength={200} autoComplete="off" />
          <Button
            type="submit"
            className="h-9"
            loading={update.isPending}
            disabled={name.trim() === '' || name === account.name}
          >
            Rename account
          </Button>
        </div>
      </Field>
      {error === null && <ErrorNote error={update.error} />}
    </form>
  );
}
