/** What a management key or a person created, in answers, and its revocation together with theirs. */
import type { NoteKey } from '../../../accounts/end-keys.ts';
import type { KeyRegistry } from '../../../accounts/key-registry.ts';
import type { Key, KeyStatus } from '../../../accounts/keys.ts';
import { keysMadeBy, type Makers } from '../../../accounts/made-by.ts';
import type { ScopeMirror } from '../../../accounts/scope-mirror.ts';
import type { Clock } from '../../../core/clock.ts';
import type { AccountId } from '../../../core/ids.ts';
import { type AuditChange, keyRevoked } from './key-changes.ts';
import { statusOf } from './key-status.ts';

export interface MadeServices {
  readonly keys: Pick<KeyRegistry, 'newestFirst' | 'revokeMadeBy' | 'scopes'>;
  readonly clock: Pick<Clock, 'now'>;
}

/** Bounds the answer, even if a script has created many keys. */
const LISTED_MAX = 200;

export async function describeKeysMade({ keys, clock }: MadeServices, account: AccountId, makers: Makers) {
  const nowMs = clock.now();
  const made = await keysMadeBy(keys.newestFirst(), account, makers, nowMs);
  return { keys: made.slice(0, LISTED_MAX).map((key) => describe(key, keys.scopes, nowMs)), keys_count: made.length };
}

/** Revokes what they created if `isRevoked`, with an audit entry for each, and returns what stays good. */
export async function endMade(
  services: MadeServices,
  account: AccountId,
  { makers, isRevoked }: { readonly makers: Makers; readonly isRevoked: boolean },
  audit: (entry: AuditChange) => Promise<void>,
) {
  const note = noteRevoked((entry) => audit(entry));
  const revoked = isRevoked ? await services.keys.revokeMadeBy(account, makers, note) : [];
  const left = await describeKeysMade(services, account, makers);
  return { keys_revoked: revoked.length, keys_left: left.keys, keys_left_count: left.keys_count };
}

/** Writes an audit entry for each key that is revoked together with others. */
export function noteRevoked(audit: (entry: AuditChange, key: Key) => Promise<void>): NoteKey {
  return async (before) => {
    const entry = keyRevoked(before, { now: true });
    if (entry !== null) await audit(entry, before);
  };
}

function describe(key: Key, scopes: Pick<ScopeMirror, 'project'>, nowMs: number) {
  const { id, name, label, kind } = key;
  const status = statusOf(key, scopes.project(key.projectId), nowMs) as Exclude<
    KeyStatus | 'archived',
    'revoked' | 'expired'
  >;
  return { id, name, label, kind, status };
}
