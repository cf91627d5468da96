/** Projects of an account: listed, made, changed and archived. */
import type { KeyRegistry } from '../../../accounts/key-registry.ts';
import type { Project } from '../../../accounts/ports.ts';
import { describeRestrictions, NO_RESTRICTIONS } from '../../../accounts/restrictions.ts';
import type { ScopeRegistry } from '../../../accounts/scope-registry.ts';
import type { Bank } from '../../../billing/bank.ts';
import type { Clock } from '../../../core/clock.ts';
import type { AccountId, ProjectId } from '../../../core/ids.ts';
import { usdLiteral } from '../../../core/money.ts';
import { describeLimits, describePermissions } from '../../contract/limits-input.ts';
import type { projectRoutes } from '../../contract/projects.ts';
import type { Context, Handlers } from '../door/handler.ts';
import { countGoodKeys } from '../keys/good-keys.ts';
import { levelOf } from '../keys/level-of.ts';
import { changeProject, makeProject } from './change-project.ts';
import { findNamed } from './find-scope.ts';
import { projectCreated, projectUpdated } from './scope-changes.ts';

export interface ProjectServices {
  readonly scopes: Pick<ScopeRegistry, 'accounts' | 'projects' | 'createProject' | 'updateProject'>;
  readonly keys: Pick<KeyRegistry, 'list'>;
  readonly bank: Pick<Bank, 'spent'>;
  readonly clock: Clock;
  /** The names of what routes do, for permissions: `chat`. */
  readonly operations: readonly string[];
}

type KeyCounts = ReadonlyMap<ProjectId, number>;

export function projectHandlers(services: ProjectServices): Handlers<typeof projectRoutes> {
  return {
    listProjects: async ({ account }, { query }) => {
      const projects = projectsOf(services, account.id).filter(
        ({ archivedAt }) => query.include_archived === 'true' || archivedAt === null,
      );
      const counts = await countKeys(services);
      return { data: projects.map((project) => describeProject(services, project, counts)) };
    },

    listAllProjects: async (_context, { query }) => {
      const names = new Map(services.scopes.accounts().map(({ id, name }) => [id, name]));
      const counts = await countKeys(services);
      const data = services.scopes
        .projects()
        .filter(({ archivedAt }) => query.include_archived === 'true' || archivedAt === null)
        .map((project) => ({
          ...describeProject(services, project, counts),
          account: { id: project.accountId, name: names.get(project.accountId) ?? '' },
        }));
      return { data };
    },

    createProject: async (context, { body }) => {
      const project = await makeProject(services, context.account.id, body, changing(context));
      await context.audit(projectCreated(project));
      return { data: describeProject(services, project, new Map()) };
    },

    readProject: async ({ account }, { params }) => {
      const project = findNamed(projectsOf(services, account.id), params.project, 'project');
      return { data: describeProject(services, project, await countKeys(services)) };
    },

    updateProject: async (context, { params, body }) => {
      const project = findNamed(projectsOf(services, context.account.id), params.project, 'project');
      const { before, changed } = await changeProject(services, project, body, changing(context));
      const told = projectUpdated(before, changed);
      if (told !== null) await context.audit(told);
      return { data: describeProject(services, changed, await countKeys(services)) };
    },
  };
}

function changing(context: Context) {
  return { by: levelOf(context), checkStill: () => context.checkStill() };
}

/** In order of id. Those of other accounts are as good as none. */
function projectsOf({ scopes }: ProjectServices, account: AccountId): readonly Project[] {
  return scopes.projects().filter(({ accountId }) => accountId === account);
}

function countKeys({ keys, clock }: ProjectServices): Promise<KeyCounts> {
  return countGoodKeys(keys.list(), clock.now(), (key) => key.projectId);
}

function describeProject({ bank }: ProjectServices, project: Project, keyCounts: KeyCounts) {
  const { id, name, createdAt, archivedAt, limits, permissions } = project;
  return {
    id,
    name,
    created_at: new Date(createdAt).toISOString(),
    archived_at: archivedAt === null ? null : new Date(archivedAt).toISOString(),
    // All are refused while it is archived.
    keys: archivedAt === null ? (keyCounts.get(id) ?? 0) : 0,
    usage: usdLiteral(bank.spent('project', id, 'total')),
    usage_daily: usdLiteral(bank.spent('project', id, 'day')),
    usage_weekly: usdLiteral(bank.spent('project', id, 'week')),
    usage_monthly: usdLiteral(bank.spent('project', id, 'month')),
    limits: describeLimits(limits),
    permissions: describePermissions(permissions),
    restricted: describeRestrictions(project.restrictions ?? NO_RESTRICTIONS),
  };
}
