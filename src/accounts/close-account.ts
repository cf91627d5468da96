/**
 * Closes an account. One transaction marks it as closed, voids its invitations and writes the audit entry; from then on its keys are
 * refused. Its keys are then revoked and its projects archived, a few at a time. Nothing is deleted: the ledger, its balance and its
 * reports stay. Every step can be repeated, so a closing that an error or a crash interrupted is finished by closing again, or at the next
 * start.
 */
import type { AccountId } from '../core/ids.ts';
import type { Transactions } from '../core/transactions.ts';
import type { KeyRegistry } from './key-registry.ts';
import type { Account } from './ports.ts';
import type { ScopeRegistry } from './scope-registry.ts';

export interface ClosingParts {
  readonly transactions: Transactions;
  readonly scopes: Pick<ScopeRegistry, 'markClosed' | 'standingOf' | 'archiveAllOf' | 'accounts' | 'projects'>;
  readonly keys: Pick<KeyRegistry, 'revokeAllOf'>;
  /** Returns how many were open. */
  voidInvitations(accountId: AccountId): Promise<number>;
}

/** What this closing does; after an interrupted one, only what was left. */
export interface Closing {
  readonly account: Account;
  readonly wasClosed: boolean;
  readonly keysRevoked: number;
  readonly invitationsVoid: number;
  readonly projectsArchived: number;
}

/** Called within the transaction that marks the account. */
export type NoteClosing = (closing: Closing) => Promise<void>;

/** Null if there is no account with this id. */
export async function closeAccount(parts: ClosingParts, id: AccountId, note: NoteClosing): Promise<Closing | null> {
  const { transactions, scopes, keys, voidInvitations } = parts;
  // First, so that nothing new is created after the next steps have listed what exists.
  const closing = await transactions.run(async () => {
    const marked = await scopes.markClosed(id);
    if (marked === null) return null;
    const { keys: keysRevoked, projects: projectsArchived } = await scopes.standingOf(id);
    const invitationsVoid = await voidInvitations(id);
    const wasClosed = marked.before.closedAt !== null;
    const found: Closing = { account: marked.after, wasClosed, keysRevoked, invitationsVoid, projectsArchived };
    await note(found);
    return found;
  });
  if (closing === null) return null;
  await keys.revokeAllOf(id);
  // Last: a closed account with a project that is not archived is one whose closing was interrupted.
  await scopes.archiveAllOf(id);
  return closing;
}

/** Finishes interrupted closings and notes each one. Called at start, before anything is served. */
export async function finishClosings(parts: ClosingParts, note: NoteClosing): Promise<readonly Closing[]> {
  const unfinished = new Set<AccountId>();
  for (const { accountId, archivedAt } of parts.scopes.projects()) if (archivedAt === null) unfinished.add(accountId);
  const done: Closing[] = [];
  for (const { id, closedAt } of parts.scopes.accounts()) {
    if (closedAt === null || !unfinished.has(id)) continue;
    const closing = await closeAccount(parts, id, note);
    if (closing !== null) done.push(closing);
  }
  return done;
}
