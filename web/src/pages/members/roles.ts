/** What each role may do. */
import { useMay } from '../../api/session.ts';
import type { Role } from '../../navigation/is-open-to.ts';

export interface RoleWords {
  readonly role: Role;
  readonly title: string;
  readonly may: string;
}

export const ROLES: readonly RoleWords[] = [
  { role: 'viewer', title: 'Viewer', may: 'Can view usage, requests, keys and the balance. Cannot make changes.' },
  {
    role: 'developer',
    title: 'Developer',
    may: 'Can also create keys, and edit and revoke their own.',
  },
  {
    role: 'admin',
    title: 'Admin',
    may: 'Can also manage all keys, projects and members, and view the audit log.',
  },
  { role: 'owner', title: 'Owner', may: 'Can also rename and close the account, set data retention, and add owners.' },
];

/** The roles the person may grant: only owners can add owners. */
export function useGivableRoles(): readonly RoleWords[] {
  const isOwner = useMay('owner');
  return isOwner ? ROLES : ROLES.filter(({ role }) => role !== 'owner');
}
