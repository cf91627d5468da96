import type { ReactElement } from 'react';
import { useSession } from '../../api/session.ts';
import type { AuditEntry } from '../../api/types.ts';
import { type Column, Link, Time } from '../../components/index.ts';
import { describeAction, describeSubject } from './describe-action.ts';
import { changesOf, writeValue } from './diff.ts';

export function auditColumns(isEverywhere: boolean): readonly Column<AuditEntry>[] {
  return [
    { id: 'what', header: 'Change', isTitle: true, cell: (entry) => <What entry={entry} /> },
    { id: 'fields', header: 'Fields', className: 'sm:max-w-80', cell: (entry) => <Preview entry={entry} /> },
    ...(isEverywhere
      ? [{ id: 'account', header: 'Account', cell: (entry: AuditEntry) => <AccountName id={entry.account_id} /> }]
      : []),
    { id: 'at', header: 'Time', align: 'right', cell: ({ at }) => <Time at={at} /> },
  ];
}

function What({ entry }: { readonly entry: AuditEntry }): ReactElement {
  return (
    <Link href={hrefOf(entry)} plain className="group rounded wrap-anywhere">
      <span className="font-medium">{entry.actor.name}</span>
      <span className="text-muted"> {describeAction(entry.action)} </span>
      <span className="font-medium group-hover:underline">{describeSubject(entry)}</span>
    </Link>
  );
}

/** The first changed field, and how many more there are. */
function Preview({ entry }: { readonly entry: AuditEntry }): ReactElement {
  const [first, ...more] = changesOf(entry);
  if (first === undefined) return <span className="text-muted">–</span>;
  const values =
    entry.before === null
      ? writeValue(first.after)
      : entry.after === null
        ? writeValue(first.before)
        : `${writeValue(first.before)} → ${writeValue(first.after)}`;
  return (
    <span className="flex min-w-0 items-baseline gap-1.5 text-sm text-muted">
      <span className="min-w-0 truncate">
        {first.field}: {values}
      </span>
      {more.length > 0 && <span className="figures shrink-0">and {more.length} more</span>}
    </span>
  );
}

export function AccountName({ id }: { readonly id: number | null }): ReactElement {
  const { accounts } = useSession();
  if (id === null) return <span className="text-muted">installation</span>;
  return <span className="wrap-anywhere">{accounts.find((account) => account.id === id)?.name ?? id}</span>;
}

function hrefOf(entry: AuditEntry): string {
  const query = new URLSearchParams(window.location.search);
  query.set('entry', String(entry.id));
  return `/audit?${query}`;
}
