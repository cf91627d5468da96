/** Finds the project that a command names by id or name. */
import { matching } from '../../../api/management/accounts/find-scope.ts';
import type { CommandContext } from '../../command.ts';
import { readJson } from '../../output.ts';
import { findAccount, type Named, onlyOne } from './find-account.ts';

export interface FoundProject extends Named {
  readonly account: Named;
  readonly archived_at: string | null;
}

const NAME_THE_ACCOUNT = ', or add --account';

/** In the account of `--account`, otherwise in any. Throws `CommandFailed`. */
export async function findProject(context: CommandContext, wanted: string): Promise<FoundProject> {
  return onlyOne(matching(await projectsOf(context), wanted), 'project', NAME_THE_ACCOUNT);
}

/** For a new key: prefers an open project over an archived one with the same name. Throws `CommandFailed`. */
export async function findOpenProject(context: CommandContext, wanted: string): Promise<FoundProject> {
  const projects = await projectsOf(context);
  const open = matching(
    projects.filter(({ archived_at: archived }) => archived === null),
    wanted,
  );
  return onlyOne(open.length > 0 ? open : matching(projects, wanted), 'project', NAME_THE_ACCOUNT);
}

/** Oldest first, including archived ones. */
async function projectsOf(context: CommandContext): Promise<readonly FoundProject[]> {
  const wanted = context.text('account');
  const account = wanted === null ? null : await findAccount(context, wanted);
  const control = await context.control();
  const text = await control.call('GET', '/control/api/all/projects?include_archived=true');
  const { data } = readJson<{ data: readonly FoundProject[] }>(text);
  return data.filter((project) => account === null || project.account.id === account.id);
}
