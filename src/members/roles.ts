/**
 * What a role may do, as far as it depends on roles alone: owner > admin > developer > viewer. The routes of the
 * management API say which role they need; here stands what they cannot say, because it depends on whom or what it is
 * done to.
 */
import type { Role } from './ports.ts';

/** From the most to the least. */
export const ROLES: readonly Role[] = ['owner', 'admin', 'developer', 'viewer'];

/** Whether a role is `needed`, or above it. */
export function isAtLeast(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) <= ROLES.indexOf(needed);
}

/** Whether who had the first role has less with the second. */
export function isDemotion(before: Role, after: Role): boolean {
  return before !== after && isAtLeast(before, after);
}

/** Whether somebody of this role may invite to, or give, another: nobody gives more than they have. */
export function mayGive(own: Role, given: Role): boolean {
  return isAtLeast(own, 'admin') && isAtLeast(own, given);
}

/** Whether somebody of this role may change or remove a member of another. Owners are changed by owners only. */
export function mayChangeMember(own: Role, theirs: Role): boolean {
  return isAtLeast(own, 'admin') && (theirs !== 'owner' || own === 'owner');
}
