/** `turnpike accounts create` and `close`: customers come and go. */
import { NAME_LENGTH_MAX } from '../../accounts/plain-text.ts';
import { matching } from '../../api/management/accounts/find-scope.ts';
import { type Command, type CommandContext, CommandFailed, UsageError } from '../command.ts';
import { readJson, shownText } from '../output.ts';
import { readText } from '../read-values.ts';

interface Account {
  readonly id: number;
  readonly name: string;
}

interface ListedAccount extends Account {
  /** Decimal digits; null where no balance is kept. */
  readonly balance: string | null;
}

export const createAccount: Command = {
  name: 'accounts create',
  summary: 'Make an account, with a first project',
  parameters: '<name>',
  parameterCount: { min: 1, max: 1 },
  async run(context) {
    const name = readText('the name', context.parameters[0] ?? '', NAME_LENGTH_MAX);
    const control = await context.control();
    const text = await control.call('POST', '/control/api/accounts', { name });
    if (context.json) context.terminal.out(text);
    else {
      const { data } = readJson<{ data: Account }>(text);
      context.terminal.out(`Account ${data.id} "${shownText(data.name)}" is made, with a project "Default".`);
    }
    return 0;
  },
};

export const closeAccount: Command = {
  name: 'accounts close',
  summary: 'Close an account, for good: its keys are revoked and calls on them cut, its reports and its balance stay',
  parameters: '<id|name>',
  parameterCount: { min: 1, max: 1 },
  flags: {
    confirm: { type: 'string', value: '<name>', description: 'The name of the account, as proof that it is meant' },
  },
  async run(context) {
    const confirmed = context.text('confirm');
    if (confirmed === null) throw new UsageError('accounts close needs --confirm <name>, the name of the account');
    const account = await findAccount(context, context.parameters[0] ?? '');
    const control = await context.control();
    const path = `/control/api/account/close?account=${account.id}`;
    const text = await control.call('POST', path, { name: confirmed });
    if (context.json) context.terminal.out(text);
    else {
      const balance = account.balance === null ? '' : ` Its balance, $${account.balance}, stays in the ledger.`;
      context.terminal.out(`Account ${account.id} "${shownText(account.name)}" is closed.${balance}`);
    }
    return 0;
  },
};

/** The account of a flag or parameter, by its id or name. Throws `CommandFailed`. */
export async function findAccount(context: CommandContext, wanted: string): Promise<ListedAccount> {
  const control = await context.control();
  const { data } = readJson<{ data: readonly ListedAccount[] }>(await control.call('GET', '/control/accounts'));
  const [found, ...others] = matching(data, wanted);
  if (found === undefined) throw new CommandFailed('There is no such account.');
  if (others.length > 0)
    throw new CommandFailed(
      `Several accounts match; use one of these ids: ${[found, ...others].map(({ id }) => id).join(', ')}.`,
    );
  return found;
}
