/** What the domain of members asks of management keys, which may invite too. */
import type { AccountId, KeyId } from '../core/ids.ts';
import type { Role } from './ports.ts';

export interface InvitingKeys {
  /** Whether the key is good now, and manages this account. Memory only. */
  mayInvite(id: KeyId, account: AccountId): boolean;
  nameOf(id: KeyId): string | null;
}

/** A key that leaked must not make an admin, who could undo its revocation. */
export const KEYS_GIVE_AT_MOST: Role = 'developer';
