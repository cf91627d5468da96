import type { ReactElement } from 'react';
import type { Key } from '../../api/types.ts';
import { Badge, type Column, Link, Money, Progress, StatusBadge, Time, useNow } from '../../components/index.ts';
import { formatLastUsed, RESET_WORDS } from './key-words.ts';

/** `menu` is what can be done with a key; null for who may only look. */
export function keyColumns(menu: ((key: Key) => ReactElement | null) | null): readonly Column<Key>[] {
  return [
    { id: 'name', header: 'Name', cell: (key) => <KeyName row={key} />, sortBy: (key) => key.name.toLowerCase() },
    {
      id: 'project',
      header: 'Project',
      cell: (key) => <span className="wrap-anywhere sm:block sm:min-w-24">{key.project.name}</span>,
    },
    { id: 'status', header: 'Status', cell: (key) => <StatusBadge status={key.status} /> },
    {
      id: 'created',
      header: 'Created',
      wideOnly: true,
      cell: (key) => <Time at={key.created_at} />,
      sortBy: (key) => Date.parse(key.created_at),
    },
    { id: 'used', header: 'Last used', cell: (key) => <LastUsed at={key.last_used_at} />, sortBy: lastUsed },
    { id: 'spend', header: 'Spend', align: 'right', cell: (key) => <KeySpend row={key} />, sortBy: (key) => key.usage },
    ...(menu === null ? [] : [{ id: 'actions', header: 'Actions', isAction: true, cell: menu }]),
  ];
}

function KeyName({ row }: { readonly row: Key }): ReactElement {
  return (
    <div className="min-w-0">
      <div className="flex flex-wrap items-center gap-2">
        <Link href={`/keys/${row.id}`} className="font-medium wrap-anywhere">
          {row.name}
        </Link>
        {row.kind === 'management' && <Badge tone="accent">management</Badge>}
      </div>
      <div className="font-mono text-xs text-muted">{row.label}</div>
    </div>
  );
}

/** Against the tightest budget, or, where there is none, this month. */
export function KeySpend({ row }: { readonly row: Key }): ReactElement {
  if (row.kind === 'management') return <span className="text-muted">–</span>;
  if (row.limit === null) {
    return (
      <span className="whitespace-nowrap">
        <Money usd={row.usage_monthly} /> <span className="text-sm text-muted">this month</span>
      </span>
    );
  }
  const spent = row.limit - (row.limit_remaining ?? 0);
  return (
    <div className="ml-auto w-56 text-left">
      <div className="figures mb-1 text-sm">
        <Money usd={round(spent)} />{' '}
        <span className="text-muted">
          of <Money usd={row.limit} /> {row.limit_reset === null ? '' : RESET_WORDS[row.limit_reset]}
        </span>
      </div>
      <Progress bare value={spent} limit={row.limit} label={`Spend of ${row.name}`} />
    </div>
  );
}

/** What a difference of two shown numbers leaves of the ninth place is no money. */
function round(usd: number): number {
  return Math.round(usd * 1e9) / 1e9;
}

export function LastUsed({ at }: { readonly at: string | null }): ReactElement {
  const now = useNow();
  return <span className={at === null ? 'text-muted' : 'whitespace-nowrap'}>{formatLastUsed(at, now)}</span>;
}

function lastUsed(key: Key): number | null {
  return key.last_used_at === null ? null : Date.parse(key.last_used_at);
}
