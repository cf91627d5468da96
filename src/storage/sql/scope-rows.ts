/** Rows of accounts and projects, and the columns that keys share with them. */
import type { Selectable } from 'kysely';
import type { Account, Key, Project, ProjectChanges } from '../../accounts/ports.ts';
import { accountId, projectId } from '../../core/ids.ts';
import { readCapture } from './capture-json.ts';
import { readLimits, readPermissions, writeLimits, writePermissions } from './limits-json.ts';
import { readRates } from './rates-json.ts';
import { readRestrictions } from './restrictions-json.ts';
import type { AccountRow, ProjectRow } from './schema.ts';

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

export function restrictionsOf({ restrictions }: { readonly restrictions: string }): Pick<Key, 'restrictions'> {
  const read = readRestrictions(restrictions);
  return read === undefined ? {} : { restrictions: read };
}

export function readAccount(row: Selectable<AccountRow>): Account {
  return {
    id: accountId(row.id),
    name: row.name,
    createdAt: row.created_at,
    closedAt: row.closed_at,
    capture: readCapture(row.capture),
    limits: readLimits(row.limits),
    permissions: readPermissions(row.permissions),
    rates: readRates(row.rates),
    seq: row.seq,
  };
}

export function readProject(row: Selectable<ProjectRow>): Project {
  return {
    id: projectId(row.id),
    accountId: accountId(row.account_id),
    name: row.name,
    createdAt: row.created_at,
    archivedAt: row.archived_at,
    limits: readLimits(row.limits),
    permissions: readPermissions(row.permissions),
    seq: row.seq,
    ...restrictionsOf(row),
  };
}
