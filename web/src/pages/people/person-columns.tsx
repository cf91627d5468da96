import type { ReactElement, ReactNode } from 'react';
import type { Answer } from '../../api/client.ts';
import { useSession } from '../../api/session.ts';
import { Badge, type Column, Link, Time } from '../../components/index.ts';

export type Person = Answer<'listPeople'>['data'][number];

export function personColumns(menu: (person: Person) => ReactNode): readonly Column<Person>[] {
  return [
    { id: 'name', header: 'Name', cell: (person) => <Name person={person} /> },
    { id: 'status', header: 'Status', cell: (person) => <Status person={person} /> },
    { id: 'accounts', header: 'Accounts', cell: ({ accounts }) => <Accounts accounts={accounts} /> },
    {
      id: 'totp',
      header: 'Two-factor',
      wideOnly: true,
      cell: ({ totp }) => (totp ? 'on' : <span className="text-muted">off</span>),
    },
    { id: 'seen', header: 'Last active', cell: ({ last_seen_at }) => <Time at={last_seen_at} none="–" /> },
    { id: 'joined', header: 'Joined', wideOnly: true, cell: ({ created_at }) => <Time at={created_at} /> },
    { id: 'actions', header: 'Actions', isAction: true, cell: menu },
  ];
}

function Name({ person }: { readonly person: Person }): ReactElement {
  const { user: self } = useSession();
  return (
    <div className="min-w-0">
      <span className="font-medium wrap-anywhere">{person.name}</span>
      {person.id === self.id && <span className="text-muted"> (you)</span>}
      <span className="block text-sm break-all text-muted">{person.email}</span>
    </div>
  );
}

function Status({ person }: { readonly person: Person }): ReactElement {
  return (
    <span className="flex flex-wrap gap-1">
      {person.disabled_at === null ? <Badge tone="good">active</Badge> : <Badge>disabled</Badge>}
      {person.is_operator && <Badge tone="accent">operator</Badge>}
    </span>
  );
}

const SHOWN_MAX = 3;

function Accounts({ accounts }: Pick<Person, 'accounts'>): ReactElement {
  if (accounts.length === 0) return <span className="text-muted">none</span>;
  const more = accounts.length - SHOWN_MAX;
  return (
    <span className="flex min-w-0 flex-col">
      {accounts.slice(0, SHOWN_MAX).map(({ id, name, role }) => (
        <span key={id} className="min-w-0 wrap-anywhere">
          <Link href={`/members?account=${id}`}>{name}</Link> <span className="text-sm text-muted">{role}</span>
        </span>
      ))}
      {more > 0 && <span className="text-sm text-muted">and {more} more</span>}
    </span>
  );
}
