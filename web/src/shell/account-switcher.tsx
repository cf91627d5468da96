import type { ReactElement } from 'react';
import { useLocation } from 'wouter';
import { type SessionAccount, useAccount, useSession } from '../api/session.ts';
import { Badge } from '../components/badge.tsx';
import { Icon } from '../components/icon.tsx';
import { Menu } from '../components/overlays/menu.tsx';

/** Switches the pages' account. With a single one there is nothing to choose. */
export function AccountSwitcher(): ReactElement {
  const { accounts, more_accounts: hasMore } = useSession();
  const account = useAccount();
  const [location, navigate] = useLocation();
  if (account === null) return <p className="px-2 text-sm text-muted">No account</p>;
  if (accounts.length < 2 && !hasMore)
    return (
      <p className="flex items-center gap-2 px-2 text-sm text-muted">
        <span className="truncate">{account.name}</span>
        {account.closed && <Closed />}
      </p>
    );
  const choose = (chosen: SessionAccount): void => {
    // What a page shows of one account (a key, a filter) does not exist in another: only the kind of page stays.
    const page = `/${location.split('/')[1] ?? ''}`;
    navigate(chosen === accounts[0] ? page : `${page}?account=${chosen.id}`);
  };
  return (
    <Menu
      align="start"
      items={[
        ...accounts.map((each) => ({
          label: each.name,
          hint: each.closed ? `closed · ${each.role}` : each.role,
          muted: each.closed,
          checked: each === account,
          onSelect: () => choose(each),
        })),
        ...(hasMore ? [{ label: 'All accounts', href: '/accounts', separated: true }] : []),
      ]}
      trigger={
        <button
          type="button"
          className="flex h-9 w-full items-center gap-2 rounded border bg-surface px-2 text-left hover:bg-sunken"
        >
          <span className="sr-only">Account: </span>
          <span className="min-w-0 flex-1 truncate font-medium">{account.name}</span>
          {account.closed && <Closed />}
          <Icon name="down" className="text-muted" />
        </button>
      }
    />
  );
}

function Closed(): ReactElement {
  return <Badge tone="neutral">closed</Badge>;
}
