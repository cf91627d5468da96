/** Rows of accounts and projects, and the columns that keys share with them. */
import type { Selectable } from 'kysely';
import type { Account, Key, Project, ProjectChanges } from '../../accounts/ports.ts';
import { accountId, projectId } from '../../core/ids.ts';
import { readCapture } from './capture-json.ts';
import { readLimits, readPermissions, writeLimits, writePermissions } from './limits-json.ts';
import { readRates } from './rates-json.ts';
import { readRestrictions } from './restrictions-json.ts';
import type { AccountRow, ProjectRow } from './schema.ts';
import { readable } from './stored-json.ts';

/** The changed columns among those that keys, projects and accounts share. */
export function commonColumns({
  name,
  limits,
  permissions,
}: Pick<ProjectChanges, 'name' | 'limits' | 'permissions'>): CommonColumns {
  return {
    ...(name === undefined ? {} : { name }),
    ...(limits === undefined ? {} : { limits: writeLimits(limits) }),
    ...(permissions === undefined ? {} : { permissions: writePermissions(permissions) }),
  };
}

/** Whether there is anything to update: an UPDATE without columns is invalid SQL. */
export function isAny(columns: object): boolean {
  return Object.keys(columns).length > 0;
}

interface CommonColumns {
  name?: string;
  limits?: string;
  permissions?: string;
}

/** What keys and projects have in common as JSON. Throws `UnreadableRow`. */
export function rulesOf(
  what: 'key' | 'project',
  row: { readonly id: number; readonly limits: string; readonly permissions: string; readonly restrictions: string },
): Pick<Key, 'limits' | 'permissions' | 'restrictions'> {
  return readable(what, row.id, () => {
    const restrictions = readRestrictions(row.restrictions);
    return {
      limits: readLimits(row.limits),
      permissions: readPermissions(row.permissions),
      ...(restrictions === undefined ? {} : { restrictions }),
    };
  });
}

/** An account whose row cannot be read: its keys are refused. */
export function unreadableAccount(row: Selectable<AccountRow>): Account {
  return {
    ...readAccount({ ...row, capture: '{}', limits: '{}', permissions: '{}', rates: '{}' }),
    isUnreadable: true,
  };
}

/** A project whose row cannot be read: its keys are refused. */
export function unreadableProject(row: Selectable<ProjectRow>): Project {
  return { ...readProject({ ...row, limits: '{}', permissions: '{}', restrictions: '{}' }), isUnreadable: true };
}

/** Throws `UnreadableRow`. */
export function readAccount(row: Selectable<AccountRow>): Account {
  return {
    id: accountId(row.id),
    name: row.name,
    createdAt: row.created_at,
    closedAt: row.closed_at,
    seq: row.seq,
    ...readable('account', row.id, () => ({
      capture: readCapture(row.capture),
      limits: readLimits(row.limits),
      permissions: readPermissions(row.permissions),
      rates: readRates(row.rates),
    })),
  };
}

/** Throws `UnreadableRow`. */
export function readProject(row: Selectable<ProjectRow>): Project {
  return {
    id: projectId(row.id),
    accountId: accountId(row.account_id),
    name: row.name,
    createdAt: row.created_at,
    archivedAt: row.archived_at,
    seq: row.seq,
    ...rulesOf('project', row),
  };
}
