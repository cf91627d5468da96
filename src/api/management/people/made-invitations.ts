/** Open invitations by who made them. */
import type { Makers } from '../../../accounts/made-by.ts';
import type { AccountId } from '../../../core/ids.ts';
import type { Members } from '../../../members/members.ts';
import type { Link, Role } from '../../../members/ports.ts';

export interface MadeInvitation {
  readonly id: number;
  readonly email: string | null;
  readonly role: Role;
}

export async function invitationsBy(
  members: Pick<Members, 'invitations'>,
  account: AccountId,
  makers: Makers,
): Promise<MadeInvitation[]> {
  const open = await members.invitations(account);
  return open.flatMap(({ link }) =>
    makers.has(makerOf(link)) ? [{ id: link.id, email: link.email, role: link.role ?? 'viewer' }] : [],
  );
}

/** As the `createdBy` of keys says it; nobody of that kind made what the machine did. */
function makerOf({ createdBy, createdByKey }: Link): string {
  return createdByKey === null ? `user:${createdBy ?? ''}` : `key:${createdByKey}`;
}
