/** `turnpike projects` and `turnpike accounts`: who keys belong to, and what all of their keys may do together. */

import { NAME_LENGTH_MAX } from '../../accounts/plain-text.ts';
import { type Command, type CommandContext, UsageError } from '../command.ts';
import { withQuery } from '../control-client.ts';
import { printTable, readJson, shortTime, shownText } from '../output.ts';
import { nameOf, readText } from '../read-values.ts';
import { type LimitRow, limitFlags, limitsAsked, limitsText, type PermissionRow } from './limit-flags.ts';

interface ScopeRow {
  readonly id: number;
  readonly name: string;
  readonly created_at: string;
  /** Decimal digits. */
  readonly spent: string;
  readonly limits: LimitRow;
  readonly permissions: PermissionRow;
}

interface ProjectRow extends ScopeRow {
  readonly account: { readonly id: number; readonly name: string | null };
  readonly archived_at: string | null;
}

interface AccountRow extends ScopeRow {
  readonly closed_at: string | null;
  readonly billing_mode: string;
  /** Null where no balance is kept. */
  readonly balance: string | null;
}

const REFERENCE = { parameters: '<id|name>', parameterCount: { min: 1, max: 1 } } as const;
const projectAccount = {
  account: {
    type: 'string',
    value: '<name|id>',
    description: 'Account it belongs to, where several have one of this name',
  },
} as const;
const changeFlags = { name: { type: 'string', value: '<name>', description: 'Another name' }, ...limitFlags } as const;

export const listProjects: Command = {
  name: 'projects list',
  summary: 'List projects, with what their keys spent (USD) and their limits',
  flags: { all: { type: 'boolean', description: 'Archived ones too' } },
  async run(context) {
    const control = await context.control();
    const text = await control.call('GET', `/control/projects?include_archived=${context.has('all')}`);
    if (context.json) context.terminal.out(text);
    else
      printTable(
        context,
        ['ID', 'NAME', 'ACCOUNT', 'STATUS', 'CREATED (UTC)', 'SPENT', 'LIMITS'],
        readJson<{ data: readonly ProjectRow[] }>(text).data.map((project) => [
          String(project.id),
          project.name,
          project.account.name ?? String(project.account.id),
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
  summary: 'Make a project',
  parameters: '<name>',
  parameterCount: { min: 1, max: 1 },
  flags: {
    account: { type: 'string', value: '<name|id>', description: 'Account it belongs to; the oldest when absent' },
    ...limitFlags,
  },
  async run(context) {
    const name = readText('the name', context.parameters[0] ?? '', NAME_LENGTH_MAX);
    const body = { name, account: context.text('account'), ...limitsAsked(context) };
    const control = await context.control();
    return tell(context, await control.call('POST', '/control/projects', body), 'Project', 'is made');
  },
};

export const updateProject: Command = {
  name: 'projects update',
  summary: 'Change a project; what is not named stays, and none takes a limit away',
  ...REFERENCE,
  flags: { ...projectAccount, ...changeFlags },
  run: (context) => change(context, 'projects', 'Project'),
};

export const archiveProject: Command = {
  name: 'projects archive',
  summary: 'Refuse all keys of a project; it stays in reports',
  ...REFERENCE,
  flags: { ...projectAccount, undo: { type: 'boolean', description: 'Take it back: its keys are good again' } },
  async run(context) {
    const archived = !context.has('undo');
    const control = await context.control();
    const text = await control.call('PATCH', pathOf(context, 'projects'), { archived });
    return tell(context, text, 'Project', archived ? 'is archived' : 'is active again');
  },
};

export const listAccounts: Command = {
  name: 'accounts list',
  summary: 'List accounts, with their balances, what they spent (USD) and their limits',
  async run(context) {
    const control = await context.control();
    const text = await control.call('GET', '/control/accounts');
    if (context.json) context.terminal.out(text);
    else
      printTable(
        context,
        ['ID', 'NAME', 'BILLING', 'STATUS', 'CREATED (UTC)', 'BALANCE', 'SPENT', 'LIMITS'],
        readJson<{ data: readonly AccountRow[] }>(text).data.map((account) => [
          String(account.id),
          account.name,
          account.billing_mode,
          account.closed_at === null ? 'open' : 'closed',
          shortTime(account.created_at),
          account.balance ?? '-',
          account.spent,
          limitsText(account),
        ]),
      );
    return 0;
  },
};

export const updateAccount: Command = {
  name: 'accounts update',
  summary: 'Change an account; what is not named stays, and none takes a limit away',
  ...REFERENCE,
  flags: changeFlags,
  run: (context) => change(context, 'accounts', 'Account'),
};

async function change(context: CommandContext, noun: 'projects' | 'accounts', title: string): Promise<number> {
  const name = nameOf(context);
  const asked = limitsAsked(context);
  if (name === null && Object.keys(asked.limits).length + Object.keys(asked.permissions).length === 0)
    throw new UsageError(`${noun} update needs a flag that says what to change`);
  const control = await context.control();
  const text = await control.call('PATCH', pathOf(context, noun), { ...(name === null ? {} : { name }), ...asked });
  return tell(context, text, title, 'is changed');
}

function tell(context: CommandContext, text: string, title: string, outcome: string): number {
  if (context.json) context.terminal.out(text);
  else {
    const { data } = readJson<{ data: ScopeRow }>(text);
    context.terminal.out(`${title} ${data.id} "${shownText(data.name)}" ${outcome}; limits: ${limitsText(data)}`);
  }
  return 0;
}

function pathOf(context: CommandContext, noun: string): string {
  const account = noun === 'projects' ? context.text('account') : null;
  return withQuery(`/control/${noun}/${encodeURIComponent(context.parameters[0] ?? '')}`, { account });
}
