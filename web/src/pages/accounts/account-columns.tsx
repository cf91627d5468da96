import type { ReactElement } from 'react';
import type { Answer } from '../../api/client.ts';
import { Badge, type Column, Link, Menu } from '../../components/index.ts';
import { formatCount } from '../../format/figures.ts';
import { describeLimits, describePermissions } from '../../forms/describe.ts';
import { describeAccountRates, draftOfRates } from './rates-draft.ts';

export type ListedAccount = Answer<'listAccounts'>['data'][number];

export function accountColumns(limit: (account: ListedAccount) => void): readonly Column<ListedAccount>[] {
  return [
    { id: 'name', header: 'Account', sortBy: ({ name }) => name, cell: (account) => <Name account={account} /> },
    {
      id: 'balance',
      header: 'Balance',
      align: 'right',
      sortBy: ({ balance }) => balance,
      amount: ({ balance }) => balance,
      isAvailable: true,
    },
    {
      id: 'usage',
      header: 'This month',
      align: 'right',
      sortBy: ({ usage_monthly }) => usage_monthly,
      amount: ({ usage_monthly }) => usage_monthly,
    },
    { ...count('members', 'Members'), sortBy: ({ members }) => members },
    { ...count('keys', 'Keys'), sortBy: ({ keys }) => keys },
    { id: 'limits', header: 'Limits', className: 'sm:max-w-56', cell: (account) => <LimitWords account={account} /> },
    { id: 'markup', header: 'Markup', className: 'sm:max-w-56', cell: (account) => <RateWords account={account} /> },
    {
      id: 'actions',
      header: 'Actions',
      isAction: true,
      cell: (account) => <Actions account={account} limit={limit} />,
    },
  ];
}

function count(field: 'members' | 'keys', header: string): Column<ListedAccount> {
  return {
    id: field,
    header,
    align: 'right',
    cell: (account) => <span className="figures">{formatCount(account[field])}</span>,
  };
}

function Name({ account }: { readonly account: ListedAccount }): ReactElement {
  return (
    <div className="min-w-0">
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <Link href={pageOf(account, '/')} plain className="rounded font-medium wrap-anywhere hover:underline">
          {account.name}
        </Link>
        {account.closed_at !== null && <Badge>closed</Badge>}
      </span>
      <span className="figures block text-sm text-muted">ID {account.id}</span>
    </div>
  );
}

function LimitWords({ account }: { readonly account: ListedAccount }): ReactElement {
  const words = [...describeLimits(account.limits), ...describePermissions(account.permissions)];
  if (words.length === 0) return <span className="text-muted">none</span>;
  return (
    <span title={words.join(', ')} className="block min-w-0 truncate text-sm text-muted">
      {words.join(', ')}
    </span>
  );
}

/** Never cut off: they say what callers pay. */
function RateWords({ account }: { readonly account: ListedAccount }): ReactElement {
  const words = describeAccountRates(draftOfRates(account.rates));
  if (words.length === 0) return <span className="text-muted">default</span>;
  return <span className="block min-w-0 text-sm wrap-anywhere text-muted">{words.join(', ')}</span>;
}

interface ActionsProps {
  readonly account: ListedAccount;
  readonly limit: (account: ListedAccount) => void;
}

function Actions({ account, limit }: ActionsProps): ReactElement {
  const isClosed = account.closed_at !== null;
  const canBePaid = !isClosed && account.billing_mode !== 'off';
  return (
    <Menu
      label={`Actions for ${account.name}`}
      items={[
        { label: 'Open account', icon: 'right', href: pageOf(account, '/') },
        ...(isClosed
          ? []
          : [{ label: 'Edit name, limits and markup', icon: 'edit' as const, onSelect: () => limit(account) }]),
        canBePaid
          ? { label: 'Add credit', icon: 'billing', href: `${pageOf(account, '/billing')}&add=1` }
          : { label: 'Billing', icon: 'billing', href: pageOf(account, '/billing') },
        { label: 'Members', icon: 'members', href: pageOf(account, '/members') },
        { label: 'Settings', icon: 'settings', href: pageOf(account, '/settings/account') },
      ]}
    />
  );
}

/** A page of this account, whichever the page here is about. */
function pageOf(account: ListedAccount, page: string): string {
  return `${page}?account=${account.id}`;
}
