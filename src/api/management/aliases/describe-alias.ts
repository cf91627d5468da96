/** An alias in answers and in the audit log. */
import type { Alias, AliasRule } from '../../../catalog/alias.ts';
import type { Catalog } from '../../../catalog/model.ts';
import { changedFields } from '../../../members/audit-log.ts';
import { servedBy } from '../../../routing/aliases.ts';
import type { Change } from '../door/handler.ts';

interface Named {
  readonly id: number;
  readonly name: string;
}

/** Both null for the installation's, the project for an account's. */
export interface Whose {
  readonly account: Named | null;
  readonly project: Named | null;
}

/** `isShadowed`: the configuration has one of this name, too. */
export function describeAlias(alias: Alias, catalog: Catalog, { account, project }: Whose, isShadowed: boolean) {
  return {
    id: alias.id,
    ...describeRule(alias, catalog),
    scope: scopeOf(alias),
    account,
    project,
    source: 'stored' as const,
    is_shadowed: isShadowed,
    created_at: new Date(alias.createdAt).toISOString(),
    updated_at: new Date(alias.updatedAt).toISOString(),
  };
}

/** One of the configuration. */
export function describeFixed(rule: AliasRule, catalog: Catalog) {
  return {
    id: null,
    ...describeRule(rule, catalog),
    scope: 'installation' as const,
    account: null,
    project: null,
    source: 'file' as const,
    is_shadowed: false,
    created_at: null,
    updated_at: null,
  };
}

export function aliasCreated(alias: Alias): Change {
  return { action: 'alias.create', ...about(alias), before: null, after: audited(alias) };
}

/** Null if nothing differs. */
export function aliasUpdated(before: Alias, after: Alias): Change | null {
  const fields = changedFields(audited(before), audited(after));
  return fields.after === null ? null : { action: 'alias.update', ...about(after), ...fields };
}

export function aliasDeleted(alias: Alias): Change {
  return { action: 'alias.delete', ...about(alias), before: audited(alias), after: null };
}

function describeRule({ name, choice, targets }: AliasRule, catalog: Catalog) {
  return {
    name,
    choice,
    targets: targets.map((target) => ({ ...target, is_served: servedBy(target, catalog) !== null })),
  };
}

function scopeOf({ accountId, projectId }: Alias): 'installation' | 'account' | 'project' {
  if (accountId === null) return 'installation';
  return projectId === null ? 'account' : 'project';
}

function about({ id, name, accountId }: Alias): Pick<Change, 'subject' | 'accountId'> {
  return { subject: { kind: 'alias', id: String(id), name }, accountId };
}

function audited({ name, projectId, choice, targets }: Alias) {
  return { name, project: projectId, choice, targets: targets.map((target) => ({ ...target })) };
}
