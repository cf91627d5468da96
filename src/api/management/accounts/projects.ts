/** Handlers for projects: list, create, change and archive. */
import type { KeyRegistry } from '../../../accounts/key-registry.ts';
import type { Project } from '../../../accounts/ports.ts';
import { describeRestrictions, NO_RESTRICTIONS } from '../../../accounts/restrictions.ts';
import type { ScopeRegistry } from '../../../accounts/scope-registry.ts';
import type { Bank } from '../../../billing/bank.ts';
import { moneyOf, type ScopeMoney } from '../../../billing/money-view.ts';
import type { Clock } from '../../../core/clock.ts';
import type { AccountId, ProjectId } from '../../../core/ids.ts';
import { usdLiteral } from '../../../core/money.ts';
import type { projectRoutes } from '../../contract/projects.ts';
import type { Handlers } from '../door/handler.ts';
import { countGoodKeys } from '../keys/good-keys.ts';
import { levelOf } from '../keys/level-of.ts';
import { changeProject, makeProject } from './change-project.ts';
import { findNamed } from './find-scope.ts';
import { describeLimits, describePermissions } from './limits.ts';
import { projectCreated, projectUpdated } from './scope-changes.ts';

export interface ProjectServices {
  readonly scopes: Pick<ScopeRegistry, 'accounts' | 'projects' | 'createProject' | 'updateProject'>;
  readonly keys: Pick<KeyRegistry, 'list'>;
  readonly bank: Pick<Bank, 'money'>;
  readonly clock: Clock;
  /** The names of operations, for permissions: `chat`. */
  readonly operations: readonly string[];
}

interface Named {
  readonly id: number;
  readonly name: string;
}

type KeyCounts = ReadonlyMap<ProjectId, number>;

export function projectHandlers(services: ProjectServices): Handlers<typeof projectRoutes> {
  return {
    listProjects: async ({ account }, { query }) => {
      const projects = projectsOf(services, account.id).filter(
        ({ archivedAt }) => query.include_archived === 'true' || archivedAt === null,
      );
      const counts = await countKeys(services);
      return { data: await describeAll(services, projects, counts) };
    },

    listAllProjects: async (_context, { query }) => {
      const names = new Map(services.scopes.accounts().map(({ id, name }) => [id, name]));
      const counts = await countKeys(services);
      const projects = services.scopes
        .projects()
        .filter(({ archivedAt }) => query.include_archived === 'true' || archivedAt === null);
      const described = await describeAll(services, projects, counts);
      const accounts = projects.map(({ accountId }) => ({ id: accountId, name: names.get(accountId) ?? '' }));
      return { data: described.map((project, index) => ({ ...project, account: accounts[index] as Named })) };
    },

    createProject: async (context, { body }) => {
      const project = await context.change(async () => {
        const made = await makeProject(services, context.account.id, body, levelOf(context));
        await context.audit(projectCreated(made));
        return made;
      });
      return { data: await describe(services, project, new Map()) };
    },

    readProject: async ({ account }, { params }) => {
      const project = findNamed(projectsOf(services, account.id), params.project, 'project');
      return { data: await describe(services, project, await countKeys(services)) };
    },

    updateProject: async (context, { params, body }) => {
      const project = findNamed(projectsOf(services, context.account.id), params.project, 'project');
      const changed = await context.change(async () => {
        const { before, after } = await changeProject(services, project, body, levelOf(context));
        const entry = projectUpdated(before, after);
        if (entry !== null) await context.audit(entry);
        return after;
      });
      return { data: await describe(services, changed, await countKeys(services)) };
    },
  };
}

/** In order of id, of this account only. */
function projectsOf({ scopes }: ProjectServices, account: AccountId): readonly Project[] {
  return scopes.projects().filter(({ accountId }) => accountId === account);
}

function countKeys({ keys, clock }: ProjectServices): Promise<KeyCounts> {
  return countGoodKeys(keys.list(), clock.now(), (key) => key.projectId);
}

async function describe({ bank }: ProjectServices, project: Project, keyCounts: KeyCounts) {
  return describeProject(project, await moneyOf(bank.money, 'project', project.id), keyCounts);
}

async function describeAll({ bank }: ProjectServices, projects: readonly Project[], keyCounts: KeyCounts) {
  const money = await bank.money.of(projects.map(({ id }) => ({ scope: 'project', id })));
  return projects.map((project, index) => describeProject(project, money[index] as ScopeMoney, keyCounts));
}

function describeProject(project: Project, { spent }: ScopeMoney, keyCounts: KeyCounts) {
  const { id, name, createdAt, archivedAt, limits, permissions } = project;
  return {
    id,
    name,
    created_at: new Date(createdAt).toISOString(),
    archived_at: archivedAt === null ? null : new Date(archivedAt).toISOString(),
    // All of its keys are refused while it is archived.
    keys: archivedAt === null ? (keyCounts.get(id) ?? 0) : 0,
    usage: usdLiteral(spent.total),
    usage_daily: usdLiteral(spent.day),
    usage_weekly: usdLiteral(spent.week),
    usage_monthly: usdLiteral(spent.month),
    limits: describeLimits(limits),
    permissions: describePermissions(permissions),
    restricted: describeRestrictions(project.restrictions ?? NO_RESTRICTIONS),
  };
}
