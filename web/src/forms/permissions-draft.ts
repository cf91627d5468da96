/** The permissions in a form, and their request body. An empty list counts as absent: it allows everything. */
import type { Permissions } from '../api/types.ts';

export const LISTS = ['models_allow', 'models_deny', 'operations', 'ips'] as const;
export type ListName = (typeof LISTS)[number];
export type PermissionsDraft = Readonly<Record<ListName, readonly string[]>>;
export type PermissionsBody = { readonly [Name in ListName]?: readonly string[] | null };

export const NO_PERMISSIONS: Permissions = { operations: null, models_allow: null, models_deny: null, ips: null };

export function draftOfPermissions(permissions: Permissions): PermissionsDraft {
  return {
    models_allow: permissions.models_allow ?? [],
    models_deny: permissions.models_deny ?? [],
    operations: permissions.operations ?? [],
    ips: permissions.ips ?? [],
  };
}

/** Only what differs from `before` (`NO_PERMISSIONS` for something new); null removes one, an absent one stays. */
export function permissionsBody(draft: PermissionsDraft, before: Permissions = NO_PERMISSIONS): PermissionsBody {
  const body: { [Name in ListName]?: readonly string[] | null } = {};
  for (const list of LISTS) {
    const isSame = JSON.stringify(draft[list]) === JSON.stringify(before[list] ?? []);
    if (!isSame) body[list] = draft[list].length === 0 ? null : draft[list];
  }
  return body;
}
