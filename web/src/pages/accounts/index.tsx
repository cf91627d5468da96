import { type ReactElement, useState } from 'react';
import { useApi } from '../../api/use-api.ts';
import { Button, Card, EmptyState, PageHeader, Table, TextInput } from '../../components/index.ts';
import { useQueryStates } from '../../navigation/use-query-state.ts';
import { useSort } from '../../navigation/use-sort.ts';
import { accountColumns, type ListedAccount } from './account-columns.tsx';
import { CreateAccountDialog } from './create-account-dialog.tsx';
import { LimitAccountDialog } from './limit-account-dialog.tsx';

/** Every account of the installation; search and order are in the URL. */
export default function AccountsPage(): ReactElement {
  const [query, change] = useQueryStates();
  const accounts = useApi('listAccounts', {});
  const [limited, setLimited] = useState<ListedAccount | null>(null);
  const search = (query.get('search') ?? '').trim().toLowerCase();
  const order = useSort({ column: 'name', descending: false });
  const rows = accounts.data?.data.filter(
    ({ id, name }) => name.toLowerCase().includes(search) || String(id) === search,
  );
  const create = (
    <Button kind="primary" icon="plus" onClick={() => change({ new: '1' })}>
      Create account
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Accounts"
        description="Each account has its own members, API keys, balance and reports."
        actions={accounts.data?.data.length !== 0 && create}
      />
      <Card flush>
        <div className="px-5 py-3">
          <TextInput
            type="search"
            aria-label="Search by name or ID"
            placeholder="Search by name or ID"
            value={query.get('search') ?? ''}
            onChange={(text) => change({ search: text })}
            className="sm:max-w-72"
          />
        </div>
        <Table
          label="Accounts"
          columns={accountColumns(setLimited)}
          rows={rows}
          rowKey={(account) => account.id}
          error={accounts.error}
          retry={() => void accounts.refetch()}
          {...order}
          empty={
            search === '' ? (
              <EmptyState icon="accounts" title="No accounts yet" action={create} />
            ) : (
              <EmptyState
                icon="search"
                title="No matching accounts"
                action={<Button onClick={() => change({ search: null })}>Clear search</Button>}
              />
            )
          }
        />
      </Card>
      {limited !== null && <LimitAccountDialog account={limited} onClose={() => setLimited(null)} />}
      {query.get('new') === '1' && <CreateAccountDialog onClose={() => change({ new: null })} />}
    </>
  );
}
