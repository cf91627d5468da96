/** `turnpike projects`: list, create, update and archive. */
import { NAME_LENGTH_MAX } from '../../../accounts/plain-text.ts';
import type { Command, CommandContext } from '../../command.ts';
import { withQuery } from '../../control-client.ts';
import { printTable, readExact, readJson, shortTime } from '../../output.ts';
import { readText } from '../../read-values.ts';
import { type LimitRow, limitFlags, limitsAsked, limitsText, type PermissionRow } from '../limit-flags.ts';
import { accountOf, type Named } from './find-account.ts';
import { findProject } from './find-project.ts';
import { changedText, changeFlags, changesAsked, REFERENCE } from './scope-changes.ts';

/** A project of the management API; money is decimal text. */
interface ManagedProject {
  readonly id: number;
  readonly name: string;
  readonly created_at: string;
  readonly archived_at: string | null;
  readonly usage: string;
  readonly limits: LimitRow;
  readonly permissions: PermissionRow;
}

const projectAccount = {
  account: {
    type: 'string',
    value: '<name|id>',
    description: 'Account of the project, if several accounts have one of this name',
  },
} as const;

export const listProjects: Command = {
  name: 'projects list',
  summary: 'List projects with the spend of their keys (USD) and their limits',
  flags: { all: { type: 'boolean', description: 'Include archived projects' } },
  async run(context) {
    const control = await context.control();
    const path = withQuery('/control/api/all/projects', { include_archived: String(context.has('all')) });
    const read = context.json ? readExact : readJson;
    const found = read<{ data: readonly (ManagedProject & { readonly account: Named })[] }>(
      await control.call('GET', path),
    );
    const data = found.data.map((project) => projectRow(project, project.account));
    if (context.json) context.terminal.out(JSON.stringify({ data, total_count: data.length }));
    else
      printTable(
        context,
        ['ID', 'NAME', 'ACCOUNT', 'STATUS', 'CREATED (UTC)', 'SPENT', 'LIMITS'],
        data.map((project) => [
          String(project.id),
          project.name,
          project.account.name,
          project.archived_at === null ? 'active' : 'archived',
          shortTime(project.created_at),
          project.spent,
          limitsText(project),
        ]),
      );
    return 0;
  },
};

export const createProject: Command = {
  name: 'projects create',
  summary: 'Create a project',
  parameters: '<name>',
  parameterCount: { min: 1, max: 1 },
  flags: {
    account: { type: 'string', value: '<name|id>', description: 'Account of the project; default: the oldest' },
    ...limitFlags,
  },
  async run(context) {
    const name = readText('the name', context.parameters[0] ?? '', NAME_LENGTH_MAX);
    const body = { name, ...limitsAsked(context) };
    const account = await accountOf(context);
    const control = await context.control();
    const path = withQuery('/control/api/projects', { account: String(account.id) });
    return printResult(context, await control.call('POST', path, body), account, 'created');
  },
};

export const updateProject: Command = {
  name: 'projects update',
  summary: 'Change a project; flags you leave out keep their value, and none removes a limit',
  ...REFERENCE,
  flags: { ...projectAccount, ...changeFlags },
  run: (context) => change(context, changesAsked(context, 'projects update'), 'updated'),
};

export const archiveProject: Command = {
  name: 'projects archive',
  summary: 'Archive a project: its keys are refused; its reports stay',
  ...REFERENCE,
  flags: { ...projectAccount, undo: { type: 'boolean', description: 'Restore the project: its keys work again' } },
  run(context) {
    const archived = !context.has('undo');
    return change(context, { archived }, archived ? 'archived' : 'restored');
  },
};

async function change(context: CommandContext, body: object, outcome: string): Promise<number> {
  const { id, account } = await findProject(context, context.parameters[0] ?? '');
  const control = await context.control();
  const path = withQuery(`/control/api/projects/${id}`, { account: String(account.id) });
  return printResult(context, await control.call('PATCH', path, body), account, outcome);
}

function printResult(context: CommandContext, text: string, account: Named, outcome: string): number {
  if (context.json) {
    const { data } = readExact<{ data: ManagedProject }>(text);
    context.terminal.out(JSON.stringify({ data: projectRow(data, account) }));
  } else {
    const { data } = readJson<{ data: ManagedProject }>(text);
    context.terminal.out(changedText('Project', data, outcome));
  }
  return 0;
}

function projectRow(project: ManagedProject, account: Named) {
  return {
    id: project.id,
    name: project.name,
    account: { id: account.id, name: account.name },
    created_at: project.created_at,
    archived_at: project.archived_at,
    spent: project.usage,
    limits: project.limits,
    permissions: project.permissions,
  };
}
