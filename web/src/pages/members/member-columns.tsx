import type { ReactElement, ReactNode } from 'react';
import type { Answer } from '../../api/client.ts';
import { useSession } from '../../api/session.ts';
import { Badge, type Column, Time } from '../../components/index.ts';

export type Member = Answer<'listMembers'>['data'][number];

export function memberColumns(menu: (member: Member) => ReactNode): readonly Column<Member>[] {
  return [
    {
      id: 'name',
      header: 'Name',
      sortBy: ({ user }) => user.name.toLowerCase(),
      cell: (member) => <Person member={member} />,
    },
    { id: 'role', header: 'Role', sortBy: ({ role }) => role, cell: ({ role }) => <RoleBadge role={role} /> },
    {
      id: 'totp',
      header: 'Two-factor',
      cell: ({ user }) => (user.totp ? 'on' : <span className="text-muted">off</span>),
    },
    {
      id: 'seen',
      header: 'Last active',
      sortBy: ({ last_seen_at }) => last_seen_at,
      cell: ({ last_seen_at }) => <Time at={last_seen_at} none="never" />,
    },
    {
      id: 'joined',
      header: 'Joined',
      wideOnly: true,
      sortBy: ({ joined_at }) => joined_at,
      cell: ({ joined_at }) => <Time at={joined_at} />,
    },
    { id: 'actions', header: 'Actions', isAction: true, cell: menu },
  ];
}

export function RoleBadge({ role }: { readonly role: string }): ReactElement {
  return <Badge tone={role === 'owner' ? 'accent' : 'neutral'}>{role}</Badge>;
}

function Person({ member: { user } }: { readonly member: Member }): ReactElement {
  const { user: self } = useSession();
  return (
    <div className="min-w-0">
      <span className="font-medium wrap-anywhere">{user.name}</span>
      {user.id === self.id && <span className="text-muted"> (you)</span>}
      <span className="block text-sm break-all text-muted">{user.email}</span>
    </div>
  );
}
