/** Projects on the control plane: listed, made, changed and archived. */
import * as z from 'zod';
import type { Project } from '../accounts/ports.ts';
import { usdLiteral } from '../core/money.ts';
import { describeLimits, describePermissions, limitsInput, permissionsInput } from './contract/limits-input.ts';
import { nameInput } from './contract/text-input.ts';
import { changeProject, makeProject } from './management/accounts/change-project.ts';
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
