/** A key of a project: active or revoked; retiring, expired and disabled are computed. */
import type { AccountId, KeyId, ProjectId } from '../core/ids.ts';
import type { Limits, Permissions } from './limits.ts';
import type { Restrictions } from './restrictions.ts';

/** How long both secrets of a rotated key may be good. */
export const GRACE_MS_MAX = 7 * 86_400_000;

/** An inference key calls models; a management key calls the management API and never a model. */
export type KeyKind = 'inference' | 'management';

export interface Key {
  readonly id: KeyId;
  /** The first key of a chain of rotations, which is this one where it was never rotated: budgets and rates are counted there. */
  readonly rootId: KeyId;
  readonly projectId: ProjectId;
  readonly accountId: AccountId;
  readonly name: string;
  readonly label: string;
  readonly kind: KeyKind;
  /** HMAC-SHA-256 of the secret under the pepper `pepperId`. */
  readonly digest: Buffer;
  readonly pepperId: string;
  readonly disabled: boolean;
  readonly createdAt: number;
  readonly createdBy: string | null;
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
  /** Set when it was rotated: until then both secrets are good. */
  readonly retiringAt: number | null;
  /** When it was last changed, but for its rotation and revocation; null when it never was. */
  readonly updatedAt: number | null;
  readonly limits: Limits;
  readonly permissions: Permissions;
  /** What somebody above its maker may have restricted; absent where nobody did. */
  readonly restrictions?: Restrictions | undefined;
  /** The number of its last change in the feed: what is kept in memory gives way to what has a higher one. */
  readonly seq: number;
}

/** A retiring key was rotated and is still good; an expired one is not, be it by its expiry or by the end of its retirement. */
export type KeyStatus = 'active' | 'retiring' | 'revoked' | 'expired' | 'disabled';

export function keyStatus(key: Key, nowMs: number): KeyStatus {
  if (key.revokedAt !== null) return 'revoked';
  if (key.expiresAt !== null && key.expiresAt <= nowMs) return 'expired';
  if (key.retiringAt !== null && key.retiringAt <= nowMs) return 'expired';
  if (key.disabled) return 'disabled';
  return key.retiringAt === null ? 'active' : 'retiring';
}

/** Whether a key lets its holder in, as far as the key itself goes. */
export function isGood(key: Key, nowMs: number): boolean {
  const status = keyStatus(key, nowMs);
  return status === 'active' || status === 'retiring';
}
