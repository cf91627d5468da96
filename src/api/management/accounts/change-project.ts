/** Creates or changes a project with its limits and permissions, and records restrictions for people below. */
import type { Changed, Project } from '../../../accounts/ports.ts';
import { type Level, NO_RESTRICTIONS, restrict, UNRESTRICTED } from '../../../accounts/restrictions.ts';
import type { ScopeRegistry } from '../../../accounts/scope-registry.ts';
import type { AccountId } from '../../../core/ids.ts';
import type { projectRoutes } from '../../contract/projects.ts';
import type { RouteInput } from '../../contract/route.ts';
import { changedLimits, changedPermissions, fieldsGiven } from './limits.ts';

interface Makers {
  readonly scopes: Pick<ScopeRegistry, 'createProject' | 'updateProject'>;
  /** The names of operations, for permissions: `chat`. */
  readonly operations: readonly string[];
}

/**
 * Restrictions are recorded for the level `by`. Throws `GatewayError`: `conflict` if the account already has the name or is closed;
 * `invalid_value`.
 */
export async function makeProject(
  { scopes, operations }: Makers,
  account: AccountId,
  request: RouteInput<typeof projectRoutes.createProject>['body'],
  by: Level,
): Promise<Project> {
  const limits = changedLimits({}, request.limits);
  const permissions = changedPermissions({}, request.permissions, operations);
  const restrictions = restrict(UNRESTRICTED, { limits, permissions }, NO_RESTRICTIONS, by);
  const isLimited = Object.keys(limits).length > 0 || Object.keys(permissions).length > 0;
  const settings = isLimited ? { limits, permissions, restrictions } : {};
  return await scopes.createProject({ accountId: account, name: request.name, ...settings });
}

/** Throws as `makeProject` does. */
export async function changeProject(
  { scopes, operations }: Makers,
  project: Project,
  { name: newName, archived, ...request }: RouteInput<typeof projectRoutes.updateProject>['body'],
  by: Level,
): Promise<Changed<Project>> {
  const changed = await scopes.updateProject(project.id, (current) => {
    const [wasArchived, isArchived] = [current.archivedAt !== null, archived ?? current.archivedAt !== null];
    const limits = changedLimits(current.limits, request.limits);
    const permissions = changedPermissions(current.permissions, request.permissions, operations);
    const restrictions = restrict(
      { ...current, archived: wasArchived },
      { limits, permissions, archived: isArchived },
      current.restrictions ?? NO_RESTRICTIONS,
      by,
      [...(archived === undefined ? [] : ['archived']), ...fieldsGiven(request.limits, request.permissions)],
    );
    return {
      ...(newName === undefined ? {} : { name: newName }),
      ...(archived === undefined ? {} : { archived }),
      limits,
      permissions,
      restrictions,
    };
  });
  return changed ?? { before: project, after: project };
}
