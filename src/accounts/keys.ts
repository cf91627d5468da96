/** A key of a project: active or revoked; expired and disabled are computed. */
import type { AccountId, KeyId, ProjectId } from '../core/ids.ts';

/** An inference key calls models; a management key calls the management API and never a model. */
export type KeyKind = 'inference' | 'management';

/** Limits of a key; kept from the first migration, enforced by the limits issue. */
export interface KeyLimits {
  readonly requestsPerMinute?: number;
  readonly requestsPerDay?: number;
  readonly tokensPerMinute?: number;
  readonly concurrentCalls?: number;
}

/** What a key may do; an absent list allows all. Patterns may end in `*`. */
export interface KeyPermissions {
  readonly operations?: readonly string[];
  readonly modelsAllow?: readonly string[];
  readonly modelsDeny?: readonly string[];
  readonly ips?: readonly string[];
}

export interface Key {
  readonly id: KeyId;
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
  readonly retiringAt: number | null;
  readonly limits: KeyLimits;
  readonly permissions: KeyPermissions;
}

export type KeyStatus = 'active' | 'revoked' | 'expired' | 'disabled';

export function keyStatus(key: Key, nowMs: number): KeyStatus {
  if (key.revokedAt !== null) return 'revoked';
  if (key.expiresAt !== null && key.expiresAt <= nowMs) return 'expired';
  return key.disabled ? 'disabled' : 'active';
}

/** Whether a model id is within what the key may use. */
export function mayUseModel(permissions: KeyPermissions, modelId: string): boolean {
  if (permissions.modelsDeny?.some((pattern) => matchesPattern(pattern, modelId))) return false;
  return permissions.modelsAllow?.some((pattern) => matchesPattern(pattern, modelId)) ?? true;
}

function matchesPattern(pattern: string, modelId: string): boolean {
  return pattern.endsWith('*') ? modelId.startsWith(pattern.slice(0, -1)) : pattern === modelId;
}
