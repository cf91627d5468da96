import { type ReactElement, useState } from 'react';
import type { Answer } from '../../api/client.ts';
import { useApi, useChange } from '../../api/use-api.ts';
import { Button, Card, type Column, ConfirmDialog, notify, Table, Time, useKept } from '../../components/index.ts';
import { RoleBadge } from './member-columns.tsx';

type Invitation = Answer<'listInvitations'>['data'][number];

/** Invitations not accepted yet; renders nothing without any. */
export function Invitations(): ReactElement | null {
  const invitations = useApi('listInvitations', {});
  const remove = useChange('deleteInvitation');
  const [asked, setAsked] = useState<Invitation | null>(null);
  const shown = useKept(asked);
  if (invitations.error === null && (invitations.data?.data.length ?? 0) === 0) return null;
  const takeBack = (invitation: Invitation): void =>
    remove.mutate(
      { params: { invitation: invitation.id } },
      {
        onSuccess: () => {
          notify({ title: 'Invitation cancelled', kind: 'good' });
          setAsked(null);
        },
      },
    );
  return (
    <Card title="Pending invitations" flush>
      <Table
        label="Pending invitations"
        columns={columns((invitation) => {
          remove.reset();
          setAsked(invitation);
        })}
        rows={invitations.data?.data}
        rowKey={(invitation) => invitation.id}
        error={invitations.error}
        retry={() => void invitations.refetch()}
      />
      <ConfirmDialog
        open={asked !== null}
        onClose={() => setAsked(null)}
        title="Cancel invitation?"
        action="Cancel invitation"
        loading={remove.isPending}
        error={remove.error}
        onConfirm={() => asked !== null && takeBack(asked)}
      >
        The link for {shown?.email ?? 'this invitation'} stops working immediately.
      </ConfirmDialog>
    </Card>
  );
}

function columns(ask: (invitation: Invitation) => void): readonly Column<Invitation>[] {
  return [
    {
      id: 'email',
      header: 'Email',
      cell: ({ email }) =>
        email === null ? 'anyone with the link' : <span className="font-medium break-all">{email}</span>,
    },
    { id: 'role', header: 'Role', cell: ({ role }) => <RoleBadge role={role} /> },
    { id: 'by', header: 'Invited by', cell: ({ created_by }) => created_by ?? '–' },
    { id: 'made', header: 'Created', wideOnly: true, cell: ({ created_at }) => <Time at={created_at} /> },
    { id: 'expires', header: 'Expires', cell: ({ expires_at }) => <Time at={expires_at} /> },
    {
      id: 'actions',
      header: 'Actions',
      isAction: true,
      cell: (invitation) => (
        <Button size="small" onClick={() => ask(invitation)}>
          Cancel invitation
        </Button>
      ),
    },
  ];
}
