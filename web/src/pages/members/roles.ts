/** What each role may do, in words. */
import { type Role, useMay } from '../../api/session.ts';

export interface RoleWords {
  readonly role: Role;
  readonly title: string;
  readonly may: string;
}

export const ROLES: readonly RoleWords[] = [
  { role: 'viewer', title: 'Viewer', may: 'Sees usage, calls, keys and the balance. Changes nothing.' },
  {
    role: 'developer',
    title: 'Developer',
    may: 'Makes keys, changes and revokes those they made, and all that viewers may.',
  },
  {
    role: 'admin',
    title: 'Admin',
    may: 'Manages projects and members, reads the audit log, and all that developers may.',
  },
  { role: 'owner', title: 'Owner', may: 'Names and closes the account, decides what is kept of calls, makes owners.' },
];

/** The roles that the person may give: only owners make owners. */
export function useGivableRoles(): readonly RoleWords[] {
  const isOwner = useMay('owner');
  return isOwner ? ROLES : ROLES.filter(({ role }) => role !== 'owner');
}
