/** Finds the account that a command names by id or name, or the default one. */
import { matching } from '../../../api/management/accounts/find-scope.ts';
import type { CommandContext } from '../../command.ts';
import { CommandFailed } from '../../command-errors.ts';
import { readJson, shownText } from '../../output.ts';

export interface Named {
  readonly id: number;
  readonly name: string;
}

export interface FoundAccount extends Named {
  /** Null while it is open. */
  readonly closed_at: string | null;
  /** Decimal text; null without billing. */
  readonly balance: string | null;
}

/** By its id or name. Throws `CommandFailed`. */
export async function findAccount(context: CommandContext, wanted: string): Promise<FoundAccount> {
  const control = await context.control();
  const text = await control.call('GET', '/control/api/accounts');
  const { data } = readJson<{ data: readonly FoundAccount[] }>(text);
  return onlyOne(matching(data, wanted), 'account');
}

/** The account of `--account`, by default the oldest open one. Throws `CommandFailed`. */
export async function accountOf(context: CommandContext): Promise<Named> {
  const wanted = context.text('account');
  if (wanted !== null) return findAccount(context, wanted);
  const control = await context.control();
  return readJson<{ data: Named }>(await control.call('GET', '/control/api/account')).data;
}

/** The account of `--account`, by default the only open one: money is never posted to one of several that nobody named. Throws `CommandFailed`. */
export async function accountForMoney(context: CommandContext): Promise<Named> {
  const wanted = context.text('account');
  if (wanted !== null) return findAccount(context, wanted);
  const control = await context.control();
  const { data } = readJson<{ data: readonly FoundAccount[] }>(await control.call('GET', '/control/api/accounts'));
  const open = data.filter(({ closed_at: closedAt }) => closedAt === null);
  if (open.length > 1) {
    const shown = open.slice(0, NAMED_MAX).map(({ id, name }) => `${id} (${shownText(name)})`);
    const more = open.length > NAMED_MAX ? `, and ${open.length - NAMED_MAX} more` : '';
    throw new CommandFailed(`There are several accounts; name one with --account: ${shown.join(', ')}${more}.`);
  }
  return open[0] ?? accountOf(context);
}

const NAMED_MAX = 10;

/** The only match. `otherwise` is another way to choose one of several, in addition to its id. Throws `CommandFailed`. */
export function onlyOne<Row extends Named>(matches: readonly Row[], what: string, otherwise = ''): Row {
  const [found, ...others] = matches;
  if (found === undefined) throw new CommandFailed(`No ${what} matches.`);
  if (others.length > 0)
    throw new CommandFailed(
      `Several ${what}s match; use one of these ids: ${matches.map(({ id }) => id).join(', ')}${otherwise}.`,
    );
  return found;
}
