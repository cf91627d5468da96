import { type ReactElement, type ReactNode, useState } from 'react';
import { useLocation } from 'wouter';
import { useAccount, useMay, useSession } from '../../api/session.ts';
import { useApi, useChange } from '../../api/use-api.ts';
import { ConfirmDialog, leftWords, MadeList, Menu, type MenuItem, notify } from '../../components/index.ts';
import type { Member } from './member-columns.tsx';
import { RoleDialog } from './role-dialog.tsx';

export interface MemberActions {
  /** Null when no action is allowed. */
  readonly menu: (member: Member) => ReactNode;
  readonly dialogs: ReactElement | null;
}

/** Change a role, remove a member, leave. The last owner can do none of these. */
export function useMemberActions(owners: number): MemberActions {
  const { user } = useSession();
  const isAdmin = useMay('admin');
  const isOwner = useMay('owner');
  const [asked, setAsked] = useState<{ readonly what: 'role' | 'remove'; readonly member: Member } | null>(null);
  const close = (): void => setAsked(null);
  const menu = (member: Member): ReactNode => {
    const isSelf = member.user.id === user.id;
    const isLastOwner = member.role === 'owner' && owners === 1;
    const mayTouch = isAdmin && (isOwner || member.role !== 'owner');
    const items: MenuItem[] = [];
    const hint = isLastOwner ? 'An account needs at least one owner.' : undefined;
    if (mayTouch) {
      items.push({
        label: 'Change role',
        icon: 'edit',
        disabled: isLastOwner,
        ...(hint && { hint }),
        onSelect: () => setAsked({ what: 'role', member }),
      });
    }
    if (mayTouch || isSelf) {
      items.push({
        label: isSelf ? 'Leave account' : 'Remove member',
        icon: isSelf ? 'signOut' : 'trash',
        danger: true,
        disabled: isLastOwner,
        ...(hint && !mayTouch && { hint }),
        onSelect: () => setAsked({ what: 'remove', member }),
      });
    }
    return items.length === 0 ? null : <Menu label={`Actions for ${member.user.name}`} items={items} />;
  };
  const dialogs =
    asked === null ? null : asked.what === 'role' ? (
      <RoleDialog member={asked.member} onClose={close} />
    ) : (
      <RemoveDialog member={asked.member} onClose={close} />
    );
  return { menu, dialogs };
}

function RemoveDialog({ member, onClose }: { readonly member: Member; readonly onClose: () => void }): ReactElement {
  const { user } = useSession();
  const account = useAccount();
  const [, navigate] = useLocation();
  const remove = useChange('removeMember');
  const made = useApi('readMemberMade', { params: { user: String(member.user.id) } });
  const isAdmin = useMay('admin');
  const [goes, setGoes] = useState(false);
  const isSelf = member.user.id === user.id;
  const name = account?.name ?? 'the account';
  const done = (left: number): void => {
    const description = leftWords(left);
    notify({
      title: isSelf ? `You left ${name}` : `${member.user.name} removed`,
      kind: 'good',
      ...(description && { description }),
    });
    onClose();
    // Operators keep access to the account.
    if (isSelf && !user.is_operator) navigate('/');
  };
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={isSelf ? `Leave ${name}?` : `Remove ${member.user.name}?`}
      action={isSelf ? 'Leave account' : 'Remove member'}
      loading={remove.isPending}
      error={remove.error}
      onConfirm={() =>
        remove.mutate(
          { params: { user: String(member.user.id) }, query: { with_made: goes ? 'true' : 'false' } },
          { onSuccess: (answer) => done(answer.made.keys_left_count) },
        )
      }
    >
      <p className="mb-3">
        {isSelf
          ? 'You lose access to this account and need an invitation to return. Management keys you created are revoked.'
          : `They lose access to ${name}. Management keys they created are revoked.`}
      </p>
      <MadeList
        made={made}
        by={isSelf ? 'you' : member.user.name}
        goes={isSelf && !isAdmin ? null : goes}
        onChange={setGoes}
      />
    </ConfirmDialog>
  );
}
