import { type ReactElement, useId, useState } from 'react';
import { useChange } from '../../api/use-api.ts';
import { Button, Dialog, ErrorNote, notify, RadioCards } from '../../components/index.ts';
import type { Role } from '../../navigation/is-open-to.ts';
import type { Member } from './member-columns.tsx';
import { useGivableRoles } from './roles.ts';

export function RoleDialog({
  member,
  onClose,
}: {
  readonly member: Member;
  readonly onClose: () => void;
}): ReactElement {
  const form = useId();
  const roles = useGivableRoles();
  const update = useChange('updateMember');
  const [role, setRole] = useState<Role>(member.role);
  const done = (): void => {
    notify({ title: `${member.user.name} is now ${role}`, kind: 'good' });
    onClose();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Change role of ${member.user.name}`}
      description="Takes effect immediately. Below admin, management keys they created are revoked."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={form} kind="primary" loading={update.isPending} disabled={role === member.role}>
            Change role
          </Button>
        </>
      }
    >
      <form
        id={form}
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          update.mutate({ params: { user: member.user.id }, body: { role } }, { onSuccess: done });
        }}
      >
        <RoleChoice value={role} onChange={setRole} roles={roles} />
        <ErrorNote error={update.error} />
      </form>
    </Dialog>
  );
}

export interface RoleChoiceProps {
  readonly value: Role;
  readonly onChange: (role: Role) => void;
  readonly roles: ReturnType<typeof useGivableRoles>;
}

export function RoleChoice({ value, onChange, roles }: RoleChoiceProps): ReactElement {
  return (
    <RadioCards
      label="Role"
      columns={1}
      value={value}
      onChange={onChange}
      options={roles.map(({ role, title, may }) => ({ value: role, title, description: may }))}
    />
  );
}
