import type { ReactElement } from 'react';
import { useAccount, useMay } from '../../api/session.ts';
import { useApi } from '../../api/use-api.ts';
import { Button, Card, EmptyState, PageHeader, Table } from '../../components/index.ts';
import { useQueryState } from '../../navigation/use-query-state.ts';
import { useSort } from '../../navigation/use-sort.ts';
import { Invitations } from './invitations.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import { memberColumns } from './member-columns.tsx';
import { RoleTable } from './role-table.tsx';
import { useMemberActions } from './use-member-actions.tsx';

/** Members of the account, and pending invitations. */
export default function MembersPage(): ReactElement {
  const members = useApi('listMembers', {});
  const account = useAccount();
  const isAdmin = useMay('admin');
  const [isNew, setNew] = useQueryState('new');
  const owners = members.data?.data.filter(({ role }) => role === 'owner').length ?? 0;
  const actions = useMemberActions(owners);
  const order = useSort({ column: 'joined', descending: false });
  const invite = (
    <Button kind="primary" icon="plus" onClick={() => setNew('1')}>
      Invite member
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Members"
        description={account === null ? undefined : `People with access to ${account.name}, and their roles.`}
        actions={isAdmin && members.data?.data.length !== 0 && invite}
      />
      <div className="flex flex-col gap-6">
        <Card flush>
          <Table
            label="Members"
            columns={memberColumns(actions.menu)}
            rows={members.data?.data}
            rowKey={(member) => member.user.id}
            error={members.error}
            retry={() => void members.refetch()}
            skeletonRows={3}
            {...order}
            empty={
              <EmptyState icon="members" title="No members" action={isAdmin && invite}>
                The operator of this installation has access to the account as well.
              </EmptyState>
            }
          />
        </Card>
        {isAdmin && <Invitations />}
        <RoleTable />
      </div>
      {actions.dialogs}
      {isAdmin && isNew === '1' && <InviteDialog onClose={() => setNew('')} />}
    </>
  );
}
