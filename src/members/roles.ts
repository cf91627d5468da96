/**
 * Rules that depend on roles alone: owner > admin > developer > viewer. Routes of the management API declare the role they require; these
 * rules depend on the other person's role as well.
 */
import type { Role } from './ports.ts';

/** From highest to lowest. */
export const ROLES: readonly Role[] = ['owner', 'admin', 'developer', 'viewer'];

/** Whether a role is `needed` or higher. */
export function isAtLeast(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) <= ROLES.indexOf(needed);
}

/** Whether the second role is lower than the first. */
export function isDemotion(before: Role, after: Role): boolean {
  return before !== after && isAtLeast(before, after);
}

/** Whether somebody with this role may give another one, or invite to it: nobody gives more than they have. */
export function mayGive(own: Role, given: Role): boolean {
  return isAtLeast(own, 'admin') && isAtLeast(own, given);
}

/** Whether somebody with this role may change or remove a member with another. Only owners change owners. */
export function mayChangeMember(own: Role, theirs: Role): boolean {
  return isAtLeast(own, 'admin') && (theirs !== 'owner' || own === 'owner');
}
