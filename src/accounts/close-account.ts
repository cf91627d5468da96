/**
 * Closing an account: marked as closed, its keys revoked, its invitations void, its projects archived. Nothing is deleted:
 * the ledger, its balance and its reports stay. Every step can be taken again, so a closing that an error or a crash cut
 * off is finished by asking once more, or at the next start.
 */
import type { AccountId } from '../core/ids.ts';
import type { KeyRegistry } from './key-registry.ts';
import type { Account } from './ports.ts';
import type { ScopeRegistry } from './scope-registry.ts';

export interface ClosingParts {
  readonly scopes: Pick<ScopeRegistry, 'markClosed' | 'archiveAllOf' | 'accounts' | 'projects'>;
  readonly keys: Pick<KeyRegistry, 'revokeAllOf'>;
  /** How many were open. */
  voidInvitations(accountId: AccountId): Promise<number>;
}

/** What this closing did; after one that was cut off, only what was left. */
export interface Closing {
  readonly account: Account;
  readonly keysRevoked: number;
  readonly invitationsVoid: number;
  readonly projectsArchived: number;
}

/** Null when there is no account of this id. */
export async function closeAccount(parts: ClosingParts, id: AccountId): Promise<Closing | null> {
  // First, so that nothing new comes after what follows has looked for it.
  const account = await parts.scopes.markClosed(id);
  if (account === null) return null;
  const keysRevoked = await parts.keys.revokeAllOf(id);
  const invitationsVoid = await parts.voidInvitations(id);
  // Last: a closed account with a project that is not archived is one whose closing was cut off.
  const projectsArchived = await parts.scopes.archiveAllOf(id);
  return { account, keysRevoked, invitationsVoid, projectsArchived };
}

/** At a start, before anything is served: finishes the closings that were cut off, and tells of each. */
export async function finishClosings(parts: ClosingParts): Promise<readonly Closing[]> {
  const unfinished = new Set<AccountId>();
  for (const { accountId, archivedAt } of parts.scopes.projects()) if (archivedAt === null) unfinished.add(accountId);
  const done: Closing[] = [];
  for (const { id, closedAt } of parts.scopes.accounts()) {
    if (closedAt === null || !unfinished.has(id)) continue;
    const closing = await closeAccount(parts, id);
    if (closing !== null) done.push(closing);
  }
  return done;
}
