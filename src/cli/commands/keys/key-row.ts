/** A key in answers of the management API, and as commands print it. */
import type { Named } from '../accounts/find-account.ts';
import type { LimitRow, PermissionRow } from '../limit-flags.ts';

/** Money is decimal text. */
export interface ManagedKey {
  readonly id: number;
  readonly root_id: number;
  readonly label: string;
  readonly name: string;
  readonly kind: string;
  readonly status: string;
  readonly disabled: boolean;
  readonly project: Named;
  readonly created_at: string;
  readonly creator_user_id: string | null;
  readonly expires_at: string | null;
  readonly retiring_at: string | null;
  readonly revoked_at: string | null;
  readonly usage: string;
  readonly limits: LimitRow;
  readonly permissions: PermissionRow;
  readonly cache_seconds: number | null;
  readonly origins: readonly string[] | null;
}

export interface FoundKey extends ManagedKey {
  readonly account: Named;
}

export type KeyRow = ReturnType<typeof keyRow>;

export function keyRow(key: ManagedKey, account: Named) {
  return {
    id: key.id,
    root_id: key.root_id,
    label: key.label,
    name: key.name,
    kind: key.kind,
    status: key.status,
    disabled: key.disabled,
    project: key.project,
    account: { id: account.id, name: account.name },
    created_at: key.created_at,
    created_by: key.creator_user_id,
    expires_at: key.expires_at,
    retiring_at: key.retiring_at,
    revoked_at: key.revoked_at,
    /** Spent with this key and those it was rotated from. */
    spent: key.usage,
    limits: key.limits,
    permissions: key.permissions,
    cache_seconds: key.cache_seconds,
    origins: key.origins,
  };
}

export type PredecessorRow = Pick<ManagedKey, 'id' | 'label' | 'status'>;

/** The answer to a change of a key. */
export interface ChangedKey {
  readonly data: ManagedKey;
  readonly predecessors: readonly PredecessorRow[];
}
