/** What members require of management keys, which may invite too. */
import type { AccountId, KeyId } from '../core/ids.ts';
import type { Role } from './ports.ts';

export interface InvitingKeys {
  /** Whether the key is good now and manages this account. Reads memory only: for lists. */
  mayInvite(id: KeyId, account: AccountId): boolean;
  /** The same by its row, which another node may have changed a moment ago. */
  mayStillInvite(id: KeyId, account: AccountId): Promise<boolean>;
  nameOf(id: KeyId): string | null;
}

/** A leaked key must not be able to create an admin, who could undo its revocation. */
export const KEYS_GIVE_AT_MOST: Role = 'developer';
