/** `turnpike accounts`: list, create, update and close. */
import { NAME_LENGTH_MAX } from '../../../accounts/plain-text.ts';
import type { Command } from '../../command.ts';
import { UsageError } from '../../command-errors.ts';
import { printTable, readExact, readJson, shortTime, shownText } from '../../output.ts';
import { readText } from '../../read-values.ts';
import { type LimitRow, limitsText, type PermissionRow } from '../limit-flags.ts';
import { findAccount, type Named } from './find-account.ts';
import { type RateRow, rateFlags, ratesAsked, ratesText } from './rate-flags.ts';
import { changedText, changeFlags, changesAsked, REFERENCE } from './scope-changes.ts';

/** An account of the management API; money is decimal text. */
interface ManagedAccount {
  readonly id: number;
  readonly name: string;
  readonly billing_mode: string;
  readonly created_at: string;
  readonly closed_at: string | null;
  /** Null without billing. */
  readonly balance: string | null;
  readonly usage: string;
  readonly limits: LimitRow;
  readonly permissions: PermissionRow;
  readonly rates: RateRow;
}

const PATH = '/control/api/accounts';

export const listAccounts: Command = {
  name: 'accounts list',
  summary: 'List accounts with their balance, spend (USD) and limits',
  async run(context) {
    const control = await context.control();
    const read = context.json ? readExact : readJson;
    const found = read<{ data: readonly ManagedAccount[] }>(await control.call('GET', PATH));
    const data = found.data.map(accountRow);
    if (context.json) context.terminal.out(JSON.stringify({ data, total_count: data.length }));
    else
      printTable(
        context,
        ['ID', 'NAME', 'BILLING', 'STATUS', 'CREATED (UTC)', 'BALANCE', 'SPENT', 'LIMITS', 'RATES'],
        data.map((account) => [
          String(account.id),
          account.name,
          account.billing_mode,
          account.closed_at === null ? 'open' : 'closed',
          shortTime(account.created_at),
          account.balance ?? '-',
          account.spent,
          limitsText(account),
          ratesText(account.rates),
        ]),
      );
    return 0;
  },
};

export const createAccount: Command = {
  name: 'accounts create',
  summary: 'Create an account with a first project',
  parameters: '<name>',
  parameterCount: { min: 1, max: 1 },
  async run(context) {
    const name = readText('the name', context.parameters[0] ?? '', NAME_LENGTH_MAX);
    const control = await context.control();
    const text = await control.call('POST', PATH, { name });
    if (context.json) context.terminal.out(text);
    else {
      const { data } = readJson<{ data: Named }>(text);
      context.terminal.out(`Account ${data.id} "${shownText(data.name)}" created, with a project "Default".`);
    }
    return 0;
  },
};

export const updateAccount: Command = {
  name: 'accounts update',
  summary: 'Change an account; flags you leave out keep their value, and none removes a limit',
  ...REFERENCE,
  flags: { ...changeFlags, ...rateFlags },
  async run(context) {
    const rates = ratesAsked(context);
    const body = { ...changesAsked(context, 'accounts update', rates), rates };
    const control = await context.control();
    const path = `${PATH}/${encodeURIComponent(context.parameters[0] ?? '')}`;
    const { data } = readJson<{ data: ManagedAccount }>(await control.call('PATCH', path, body));
    if (context.json) {
      // Read from the list, which includes balance and spend.
      const text = await control.call('GET', PATH);
      const at = readJson<{ data: readonly Named[] }>(text).data.findIndex(({ id }) => id === data.id);
      const found = readExact<{ data: readonly ManagedAccount[] }>(text).data[at];
      context.terminal.out(JSON.stringify({ data: found === undefined ? null : accountRow(found) }));
    } else context.terminal.out(`${changedText('Account', data, 'updated')}; rates: ${ratesText(data.rates)}`);
    return 0;
  },
};

export const closeAccount: Command = {
  name: 'accounts close',
  summary: 'Close an account permanently: revokes its keys and cuts off their running calls; reports and balance stay',
  parameters: '<id|name>',
  parameterCount: { min: 1, max: 1 },
  flags: {
    confirm: { type: 'string', value: '<name>', description: 'The name of the account, to confirm' },
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
      const balance = account.balance === null ? '' : ` Its balance of $${account.balance} stays in the ledger.`;
      context.terminal.out(`Account ${account.id} "${shownText(account.name)}" closed.${balance}`);
    }
    return 0;
  },
};

function accountRow(account: ManagedAccount) {
  return {
    id: account.id,
    name: account.name,
    billing_mode: account.billing_mode,
    created_at: account.created_at,
    closed_at: account.closed_at,
    balance: account.balance,
    spent: account.usage,
    limits: account.limits,
    permissions: account.permissions,
    rates: account.rates,
  };
}
