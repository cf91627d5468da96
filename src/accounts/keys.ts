/** Keys of projects: active or revoked; retiring, expired and disabled are computed. */
import type { AccountId, KeyId, ProjectId } from '../core/ids.ts';
import type { Limits, Permissions } from './limits.ts';
import type { Restrictions } from './restrictions.ts';

/** The longest time that both secrets of a rotated key may be good. */
export const GRACE_MS_MAX = 7 * 86_400_000;

/** An inference key calls models; a management key calls the management API and never a model. */
export type KeyKind = 'inference' | 'management';

export interface Key {
  readonly id: KeyId;
  /** The first key of a chain of rotations (this key if it was never rotated): budgets and rates are counted there. */
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
  /** Set by a rotation: until then both secrets are good. */
  readonly retiringAt: number | null;
  /** When it was last changed, except by rotation and revocation; null if never. */
  readonly updatedAt: number | null;
  readonly limits: Limits;
  readonly permissions: Permissions;
  /** For how many seconds the answers to its calls are kept for equal requests; absent if only those that ask for it. */
  readonly cacheSeconds?: number | undefined;
  /** The pages that may use it, as `parseOrigins` returns them; absent: no page gets an answer, and programs are not asked where they are. */
  readonly origins?: readonly string[] | undefined;
  /** What people above its maker restricted; absent if nobody did. */
  readonly restrictions?: Restrictions | undefined;
  /** The number of its last change in the feed; a row in memory is replaced by one with a higher number. */
  readonly seq: number;
}

/** A retiring key was rotated and is still good; an expired one is past its expiry or the end of its grace. */
export type KeyStatus = 'active' | 'retiring' | 'revoked' | 'expired' | 'disabled';

export function keyStatus(key: Key, nowMs: number): KeyStatus {
  if (key.revokedAt !== null) return 'revoked';
  if (key.expiresAt !== null && key.expiresAt <= nowMs) return 'expired';
  if (key.retiringAt !== null && key.retiringAt <= nowMs) return 'expired';
  if (key.disabled) return 'disabled';
  return key.retiringAt === null ? 'active' : 'retiring';
}

/** Whether the key itself is valid; its project and account are not checked. */
export function isGood(key: Key, nowMs: number): boolean {
  const status = keyStatus(key, nowMs);
  return status === 'active' || status === 'retiring';
}
