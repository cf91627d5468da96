/** `turnpike aliases`: list, create, update and delete names that lead to models. */
import type { Command, CommandContext, Flags } from '../../command.ts';
import { CommandFailed, UsageError } from '../../command-errors.ts';
import { withQuery } from '../../control-client.ts';
import { printTable, readJson, shownText } from '../../output.ts';
import { findAccount, type Named, onlyOne } from '../accounts/find-account.ts';
import { findProject } from '../accounts/find-project.ts';
import { readTargets, targetText } from './read-targets.ts';

/** An alias of the management API. */
interface ManagedAlias {
  readonly id: number | null;
  readonly name: string;
  readonly scope: 'installation' | 'account' | 'project';
  readonly account: Named | null;
  readonly project: Named | null;
  readonly choice: 'key' | 'random';
  readonly targets: readonly {
    readonly model: string;
    readonly provider: string | null;
    readonly weight: number;
    readonly is_served: boolean;
  }[];
  readonly source: 'file' | 'stored';
  readonly is_shadowed: boolean;
  readonly created_at: string | null;
  readonly updated_at: string | null;
}

interface Scope {
  readonly account: Named | null;
  readonly project: Named | null;
}

const scopeFlags: Flags = {
  account: { type: 'string', value: '<name|id>', description: 'Account of the alias; default: the installation' },
  project: { type: 'string', value: '<name|id>', description: 'Project of the alias' },
};

const ruleFlags: Flags = {
  to: {
    type: 'string',
    value: '<model[@provider][=weight]>',
    description: 'Model, and its weight (default: 1; 0: only if the others fail); repeatable',
    repeatable: true,
  },
  choice: {
    type: 'string',
    value: '<key|random>',
    description: 'Same model for all calls of a key (default), or a random one for each call',
  },
};

const REFERENCE = { parameters: '<name|id>', parameterCount: { min: 1, max: 1 } } as const;

export const listAliases: Command = {
  name: 'aliases list',
  summary: 'List names that lead to models',
  flags: scopeFlags,
  async run(context) {
    const found = await allAliases(context);
    const data = found.filter(isInScope(await scopeOf(context), 'any'));
    if (context.json) {
      context.terminal.out(JSON.stringify({ data: data.map(aliasRow), total_count: data.length }));
      return 0;
    }
    printTable(
      context,
      ['ID', 'NAME', 'ACCOUNT', 'PROJECT', 'CHOICE', 'LEADS TO'],
      data.map((alias) => [
        alias.id === null ? 'file' : String(alias.id),
        alias.is_shadowed ? `${alias.name} (hidden by the file)` : alias.name,
        alias.account?.name ?? '',
        alias.project?.name ?? '',
        alias.choice,
        alias.targets.map((target) => `${targetText(target)}${target.is_served ? '' : ' (not served)'}`).join(', '),
      ]),
    );
    return 0;
  },
};

export const createAlias: Command = {
  name: 'aliases create',
  summary: 'Create a name that leads to models, by their weights',
  parameters: '<name>',
  parameterCount: { min: 1, max: 1 },
  flags: { ...scopeFlags, ...ruleFlags },
  async run(context) {
    const body = { name: context.parameters[0], ...ruleAsked(context) };
    if (body.targets === undefined) throw new UsageError('aliases create needs --to <model>');
    const { account, project } = await scopeOf(context);
    const control = await context.control();
    const text =
      account === null
        ? await control.call('POST', '/control/api/installation-aliases', body)
        : await control.call('POST', withQuery('/control/api/aliases', { account: String(account.id) }), {
            ...body,
            ...(project === null ? {} : { project: project.id }),
          });
    return printResult(context, text, 'created');
  },
};

export const updateAlias: Command = {
  name: 'aliases update',
  summary: 'Change what a name leads to; flags you leave out keep their value',
  ...REFERENCE,
  flags: { ...scopeFlags, ...ruleFlags },
  async run(context) {
    const body = ruleAsked(context);
    if (Object.keys(body).length === 0) throw new UsageError('aliases update needs --to or --choice');
    const control = await context.control();
    return printResult(context, await control.call('PATCH', pathOf(await findAlias(context)), body), 'updated');
  },
};

export const deleteAlias: Command = {
  name: 'aliases delete',
  summary: 'Delete a name; requests with it get 404 from the next one on',
  ...REFERENCE,
  flags: scopeFlags,
  async run(context) {
    const alias = await findAlias(context);
    const control = await context.control();
    await control.call('DELETE', pathOf(alias));
    if (context.json) context.terminal.out(JSON.stringify({ data: { ...aliasRow(alias), deleted: true } }));
    else context.terminal.out(`Alias ${alias.id} "${shownText(alias.name)}" deleted.`);
    return 0;
  },
};

type StoredAlias = ManagedAlias & { readonly id: number };

/** By id or name; without a scope, a name may be anyone's if only one has it. Throws `CommandFailed`. */
async function findAlias(context: CommandContext): Promise<StoredAlias> {
  const wanted = context.parameters[0] ?? '';
  const inScope = (await allAliases(context)).filter(isInScope(await scopeOf(context), 'exact'));
  const stored = inScope.filter((alias): alias is StoredAlias => alias.id !== null);
  const byId = stored.filter(({ id }) => String(id) === wanted);
  const matches = byId.length > 0 ? byId : stored.filter(({ name }) => name === wanted);
  if (matches.length === 0 && inScope.some(({ name }) => name === wanted))
    throw new CommandFailed(`The alias ${shownText(wanted)} is in the configuration file; change it there.`);
  return onlyOne(matches, 'alias', ', or add --account or --project');
}

async function allAliases(context: CommandContext): Promise<readonly ManagedAlias[]> {
  const control = await context.control();
  return readJson<{ data: readonly ManagedAlias[] }>(await control.call('GET', '/control/api/all/aliases')).data;
}

/** Both null without flags. */
async function scopeOf(context: CommandContext): Promise<Scope> {
  const [account, project] = [context.text('account'), context.text('project')];
  if (project !== null) {
    const found = await findProject(context, project);
    return { account: found.account, project: found };
  }
  return { account: account === null ? null : await findAccount(context, account), project: null };
}

/** `exact`: of that account or project itself; `any`: an account's projects too. Without flags everything. */
function isInScope({ account, project }: Scope, extent: 'exact' | 'any'): (alias: ManagedAlias) => boolean {
  if (account === null) return () => true;
  return (alias) =>
    alias.account?.id === account.id &&
    (project === null ? extent === 'any' || alias.project === null : alias.project?.id === project.id);
}

function ruleAsked(context: CommandContext) {
  const to = context.list('to');
  const choice = context.text('choice');
  if (choice !== null && choice !== 'key' && choice !== 'random') throw new UsageError('--choice is key or random');
  return { ...(to.length === 0 ? {} : { targets: readTargets(to) }), ...(choice === null ? {} : { choice }) };
}

function pathOf({ id, account }: StoredAlias): string {
  return account === null
    ? `/control/api/installation-aliases/${id}`
    : withQuery(`/control/api/aliases/${id}`, { account: String(account.id) });
}

function printResult(context: CommandContext, text: string, outcome: string): number {
  const { data } = readJson<{ data: ManagedAlias }>(text);
  if (context.json) context.terminal.out(JSON.stringify({ data: aliasRow(data) }));
  else {
    const targets = data.targets.map(targetText).join(', ');
    context.terminal.out(`Alias ${data.id} "${shownText(data.name)}" ${outcome}: ${shownText(targets)}.`);
    if (data.is_shadowed)
      context.terminal.out(
        'It is hidden by the file: the configuration has an alias with this name, which is used instead.',
      );
  }
  return 0;
}

function aliasRow(alias: ManagedAlias) {
  return {
    id: alias.id,
    name: alias.name,
    scope: alias.scope,
    account: alias.account,
    project: alias.project,
    choice: alias.choice,
    targets: alias.targets,
    source: alias.source,
    is_shadowed: alias.is_shadowed,
    created_at: alias.created_at,
    updated_at: alias.updated_at,
  };
}
