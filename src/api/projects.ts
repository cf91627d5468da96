/** Projects on the control plane: listed, made, changed and archived. */
import * as z from 'zod';
import type { CheckStill } from '../accounts/one-at-a-time.ts';
import type { Project } from '../accounts/ports.ts';
import { type Level, NO_RESTRICTIONS, restrict, UNRESTRICTED } from '../accounts/restrictions.ts';
import type { ScopeRegistry } from '../accounts/scope-registry.ts';
import type { AccountId } from '../core/ids.ts';
import { usdLiteral } from '../core/money.ts';
import {
  changedLimits,
  changedPermissions,
  describeLimits,
  describePermissions,
  fieldsGiven,
  limitsInput,
  permissionsInput,
} from './contract/limits-input.ts';
import { nameInput } from './contract/text-input.ts';
import { findNamed, findNamedOrFirst, NAME_THE_ACCOUNT } from './management/accounts/find-scope.ts';
import { projectCreated, projectUpdated } from './management/accounts/scope-changes.ts';
import { parseInput } from './reply-error.ts';
import type { ControlServices } from './services.ts';

type Services = Pick<ControlServices, 'scopes' | 'bank' | 'operations' | 'audit'>;

const newProject = z.strictObject({
  name: nameInput,
  /** Name or id; null is the oldest. */
  account: z.union([z.string(), z.int()]).nullable().default(null),
  limits: limitsInput.default({}),
  permissions: permissionsInput.default({}),
});

const projectChanges = z.strictObject({
  name: nameInput.optional(),
  archived: z.boolean().optional(),
  limits: limitsInput.default({}),
  permissions: permissionsInput.default({}),
});

/** Name or id of the account whose project it is; where it is absent, of any. */
const findQuery = z.strictObject({ account: z.string().optional() });
const listQuery = z.strictObject({ include_archived: z.enum(['true', 'false']).default('false') });

export async function listProjects(services: Services, query: unknown) {
  const { include_archived: all } = parseInput(listQuery, query);
  const projects = services.scopes.projects().filter((project) => all === 'true' || project.archivedAt === null);
  return { data: projects.map((project) => describeProject(services, project)), total_count: projects.length };
}

export async function createProject(services: Services, body: unknown) {
  const { account, ...request } = parseInput(newProject, body ?? {});
  const owner = findNamedOrFirst(services.scopes.accounts(), account, 'account');
  const project = await makeProject(services, owner.id, request, { by: 'operator' });
  await services.audit({ ...projectCreated(project), accountId: owner.id });
  return { data: describeProject(services, project) };
}

/** By id or name. */
export async function updateProject(services: Services, reference: string, query: unknown, body: unknown) {
  const { account } = parseInput(findQuery, query);
  const request = parseInput(projectChanges, body ?? {});
  const owner = account === undefined ? null : findNamed(services.scopes.accounts(), account, 'account');
  const projects = services.scopes.projects().filter(({ accountId }) => owner === null || accountId === owner.id);
  const project = findNamed(projects, reference, 'project', NAME_THE_ACCOUNT);
  const { before, changed } = await changeProject(services, project, request, { by: 'operator' });
  const told = projectUpdated(before, changed);
  if (told !== null) await services.audit({ ...told, accountId: project.accountId });
  return { data: describeProject(services, changed) };
}

interface Makers {
  readonly scopes: Pick<ScopeRegistry, 'createProject' | 'updateProject'>;
  /** The names of what routes do, for permissions: `chat`. */
  readonly operations: readonly string[];
}

interface Changing {
  /** Whose restrictions they are. */
  readonly by: Level;
  readonly checkStill?: CheckStill;
}

/** Throws `GatewayError`: `conflict` for a name that the account has already, or a closed account; `invalid_value`. */
export async function makeProject(
  { scopes, operations }: Makers,
  account: AccountId,
  request: Omit<z.output<typeof newProject>, 'account'>,
  { by, checkStill }: Changing,
): Promise<Project> {
  const limits = changedLimits({}, request.limits);
  const permissions = changedPermissions({}, request.permissions, operations);
  const made = await scopes.createProject({ accountId: account, name: request.name }, checkStill);
  const restrictions = restrict(UNRESTRICTED, { limits, permissions }, NO_RESTRICTIONS, by);
  const isLimited = Object.keys(limits).length > 0 || Object.keys(permissions).length > 0;
  return (isLimited ? await scopes.updateProject(made.id, { limits, permissions, restrictions }) : null) ?? made;
}

/** `before` is what the project was when it was changed, which may be later than when it was asked for. Throws as `makeProject` does. */
export async function changeProject(
  { scopes, operations }: Makers,
  project: Project,
  { name: newName, archived, ...request }: z.output<typeof projectChanges>,
  { by, checkStill }: Changing,
): Promise<{ readonly before: Project; readonly changed: Project }> {
  let before = project;
  const changed = await scopes.updateProject(
    project.id,
    (standing) => {
      before = standing;
      const [wasArchived, isArchived] = [standing.archivedAt !== null, archived ?? standing.archivedAt !== null];
      const limits = changedLimits(standing.limits, request.limits);
      const permissions = changedPermissions(standing.permissions, request.permissions, operations);
      const restrictions = restrict(
        { ...standing, archived: wasArchived },
        { limits, permissions, archived: isArchived },
        standing.restrictions ?? NO_RESTRICTIONS,
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
    },
    checkStill,
  );
  return { before, changed: changed ?? project };
}

function describeProject({ scopes, bank }: Services, project: Project) {
  const account = scopes.accounts().find((each) => each.id === project.accountId);
  return {
    id: project.id,
    name: project.name,
    account: { id: project.accountId, name: account?.name ?? null },
    created_at: new Date(project.createdAt).toISOString(),
    archived_at: project.archivedAt === null ? null : new Date(project.archivedAt).toISOString(),
    spent: usdLiteral(bank.spent('project', project.id, 'total')),
    limits: describeLimits(project.limits),
    permissions: describePermissions(project.permissions),
  };
}
