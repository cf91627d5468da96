/**
 * Chooses the account of a request, and checks the actor's rights there. An account that the actor may not use gets the same answer as one
 * that does not exist.
 */

import type { Account } from '../../../accounts/ports.ts';
import type { ScopeMirror } from '../../../accounts/scope-mirror.ts';
import { GatewayError } from '../../../core/errors.ts';
import type { AccountId } from '../../../core/ids.ts';
import type { Membership, MembershipStore, Role } from '../../../members/ports.ts';
import { isAtLeast } from '../../../members/roles.ts';
import type { Need } from '../../contract/route.ts';
import type { Actor } from './handler.ts';
import { isSafe } from './same-origin.ts';

export interface AccountParts {
  readonly accounts: Pick<ScopeMirror, 'findAccount' | 'accounts'>;
  readonly memberships: Pick<MembershipStore, 'membershipsOf'>;
}

export interface Standing {
  readonly account: Account;
  readonly role: Role;
}

/** Whether the actor is an operator, who has an owner's rights in every account. */
export function isOperator(actor: Actor): boolean {
  return actor.kind === 'operator' || (actor.kind === 'user' && actor.user.isOperator);
}

/**
 * The account of `?account=`; by default the key's, the person's oldest open one, or, for an operator without one, the oldest of all.
 * Throws `GatewayError` `not_found` for an account that the actor may not use.
 */
export async function chooseAccount(
  actor: Actor,
  asked: number | undefined,
  { accounts, memberships }: AccountParts,
): Promise<Standing> {
  if (actor.kind === 'key') {
    const account = accounts.findAccount(actor.key.accountId);
    if (account === undefined || (asked !== undefined && asked !== account.id)) throw noAccount();
    return { account, role: 'admin' };
  }
  const own = actor.kind === 'user' ? await memberships.membershipsOf(actor.user.id) : [];
  const mayAll = isOperator(actor);
  if (asked !== undefined) {
    const account = accounts.findAccount(asked as AccountId);
    const role = mayAll ? 'owner' : own.find(({ accountId }) => accountId === asked)?.role;
    if (account === undefined || role === undefined) throw noAccount();
    return { account, role };
  }
  const candidates = oldestFirst(own).flatMap(({ accountId, role }): Standing[] => {
    const account = accounts.findAccount(accountId);
    return account === undefined ? [] : [{ account, role: mayAll ? 'owner' : role }];
  });
  const open = candidates.find(isOpen);
  if (open !== undefined) return open;
  // All accounts are searched only for an operator without an open one.
  const all = mayAll ? accounts.accounts().map((account): Standing => ({ account, role: 'owner' })) : [];
  const chosen = all.find(isOpen) ?? candidates[0] ?? all[0];
  if (chosen === undefined) throw new GatewayError('not_found', { message: 'You are not a member of any account.' });
  return chosen;
}

/**
 * Throws `GatewayError`: `permission_denied` with the required role, and `conflict` for a change in a closed account, unless by an
 * operator.
 */
export function checkStanding(actor: Actor, standing: Standing | null, need: Need, method: string): void {
  if (need === 'operator' && !isOperator(actor))
    throw new GatewayError('permission_denied', { message: 'Only operators of this installation can do this.' });
  if (standing === null) return;
  const { account, role } = standing;
  if (isRole(need) && !isAtLeast(role, need))
    throw new GatewayError('permission_denied', {
      message: `This needs the role ${need} or higher in the account; yours is ${role}.`,
      facts: { needs: need, role },
    });
  if (account.closedAt !== null && !isSafe(method) && !isOperator(actor))
    throw new GatewayError('conflict', { message: 'The account is closed and read-only.' });
}

/** Whether a route needs a role in an account. */
export function isRole(need: Need): need is Role {
  return need !== 'nobody' && need !== 'user' && need !== 'operator';
}

function isOpen({ account }: Standing): boolean {
  return account.closedAt === null;
}

/** A person's accounts by the time they joined; the first open one is the default. */
export function oldestFirst(memberships: readonly Membership[]): Membership[] {
  return memberships.toSorted((a, b) => a.joinedAt - b.joinedAt || a.accountId - b.accountId);
}

function noAccount(): GatewayError {
  return new GatewayError('not_found', { message: 'The account does not exist.', param: 'account' });
}
