/** `turnpike balance months`: monthly statements of an account. */

import type { Command } from '../../command.ts';
import { UsageError } from '../../command-errors.ts';
import { withQuery } from '../../control-client.ts';
import { printTable, readJson } from '../../output.ts';
import { readCount } from '../../read-values.ts';
import { findAccount } from '../accounts/find-account.ts';

/** USD as decimal text; null in a month that was sealed before these sums were kept. */
interface MonthRow {
  readonly month: string;
  readonly opening: string;
  readonly topups: string | null;
  readonly promos: string | null;
  readonly adjustments: string | null;
  readonly refunds: string | null;
  readonly charges: string | null;
  readonly closing: string;
  readonly sealed: boolean;
}

const MONTHS_MAX = 60;
const COLUMNS = ['opening', 'topups', 'promos', 'adjustments', 'refunds', 'charges', 'closing'] as const;
const TITLES = ['OPENING', 'TOP-UPS', 'PROMOS', 'ADJUSTMENTS', 'REFUNDS', 'CHARGES', 'CLOSING'];

export const listMonths: Command = {
  name: 'balance months',
  summary:
    'List monthly statements (UTC), newest first: opening, top-ups, promos, adjustments, refunds, charges, closing',
  flags: {
    account: { type: 'string', value: '<name|id>', description: 'Account; default: the oldest' },
    months: { type: 'string', value: '<n>', description: 'Number of months, at most 60; default: 12' },
    cursor: {
      type: 'string',
      value: '<cursor>',
      description: 'Continue with earlier months: the value in the last line of the table',
    },
  },
  async run(context) {
    const [account, months, cursor] = [context.text('account'), context.text('months'), context.text('cursor')];
    if (account === '') throw new UsageError('--account is empty');
    const limit = months === null ? null : String(readCount('--months', months, MONTHS_MAX));
    const id = account === null ? null : String((await findAccount(context, account)).id);
    const control = await context.control();
    const text = await control.call('GET', withQuery('/control/api/ledger/months', { account: id, limit, cursor }));
    if (context.json) {
      context.terminal.out(text);
      return 0;
    }
    const { data, next_cursor: next } = readJson<{ data: readonly MonthRow[]; next_cursor: string | null }>(text);
    printTable(
      context,
      ['MONTH', ...TITLES, ''],
      data.map((row) => [row.month, ...COLUMNS.map((column) => row[column] ?? '-'), row.sealed ? 'sealed' : '']),
    );
    if (next !== null) context.terminal.note(`Earlier months: --cursor ${next}`);
    return 0;
  },
};
