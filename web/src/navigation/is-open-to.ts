/** Which pages a person may open. */

export type Role = 'owner' | 'admin' | 'developer' | 'viewer';

export interface Audience {
  /** For operators only. */
  readonly operator?: true;
  /** The lowest role in the account that may open the page; without one every member may. */
  readonly role?: Role;
  /** Also makes sense without an account: to everyone, or to operators. */
  readonly accountless?: true | 'operator';
}

/** A person on a page; `role` is null without an account. */
export interface Viewer {
  readonly isOperator: boolean;
  readonly role: Role | null;
}

const RANK: Readonly<Record<Role, number>> = { viewer: 0, developer: 1, admin: 2, owner: 3 };

/** Operators have the owner's rights in every account. */
export function isOpenTo(page: Audience, { isOperator, role }: Viewer): boolean {
  if (page.operator === true && !isOperator) return false;
  if (role === null) return page.accountless === true || (page.accountless === 'operator' && isOperator);
  return page.role === undefined || isOperator || hasRole(role, page.role);
}

export function hasRole(role: Role, least: Role): boolean {
  return RANK[role] >= RANK[least];
}
