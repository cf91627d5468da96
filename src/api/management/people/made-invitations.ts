/** Finds open invitations by their makers. */
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

/** In the form of a key's `createdBy`; `user:` for those created on the machine, which match no maker. */
function makerOf({ createdBy, createdByKey }: Link): string {
  return createdByKey === null ? `user:${createdBy ?? ''}` : `key:${createdByKey}`;
}
