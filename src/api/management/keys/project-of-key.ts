/** Finds the project for a new key, or for a list of keys. */
import type { Project } from '../../../accounts/ports.ts';
import type { ScopeMirror } from '../../../accounts/scope-mirror.ts';
import { GatewayError } from '../../../core/errors.ts';
import { type AccountId, projectId } from '../../../core/ids.ts';
import { findNamed, isNamed } from '../accounts/find-scope.ts';

type Scopes = Pick<ScopeMirror, 'projects' | 'findProject'>;

/** An open project for a new key: the named one (`project` or `workspace_id`), by default the account's oldest. */
export function projectForKey(
  scopes: Scopes,
  account: AccountId,
  asked: { readonly project?: number | string | null | undefined; readonly workspace_id?: string | null | undefined },
): Project {
  const projects = scopes.projects().filter((each) => each.accountId === account);
  const wanted = asked.project ?? workspaceOf(asked.workspace_id ?? undefined);
  if (asked.project != null && asked.workspace_id != null)
    throw new GatewayError('invalid_value', {
      message: 'workspace_id is another name for project: send only one of them.',
      param: 'workspace_id',
    });
  const open = projects.filter((each) => each.archivedAt === null);
  const [oldest] = projects;
  if (wanted === null) {
    if (oldest === undefined)
      throw new GatewayError('not_found', { message: 'The account has no project yet.', param: 'project' });
    return checkNotArchived(oldest);
  }
  // Prefer an open project over an archived one with the same name.
  if (open.some((each) => isNamed(each, wanted))) return findNamed(open, wanted, 'project');
  return checkNotArchived(findNamed(projects, wanted, 'project'));
}

export function projectOf(scopes: Scopes, account: AccountId, id: number): Project {
  const project = scopes.findProject(projectId(id));
  if (project === undefined || project.accountId !== account)
    throw new GatewayError('not_found', { message: 'The project does not exist.', param: 'project' });
  return project;
}

/** Reads OpenRouter's id of a project. */
export function workspaceOf(text: string | undefined): number | null {
  if (text === undefined) return null;
  const id = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : null;
  if (id === null)
    throw new GatewayError('not_found', { message: 'The project does not exist.', param: 'workspace_id' });
  return id;
}

/** Throws `GatewayError` `conflict`. */
export function checkNotArchived(project: Project): Project {
  if (project.archivedAt === null) return project;
  throw new GatewayError('conflict', {
    message: `Project "${project.name}" is archived, so no key can be created in it.`,
    param: 'project',
  });
}
