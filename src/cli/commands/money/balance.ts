/** `turnpike balance show` and `entries`: the balance of an account, and its ledger entries. */
import { writeMovementsCursor } from '../../../api/management/money/movements-cursor.ts';
import { entryId } from '../../../core/ids.ts';
import type { Command, Flag } from '../../command.ts';
import { withQuery } from '../../control-client.ts';
import { printTable, readExact, readJson, shortTime, shownText } from '../../output.ts';
import { readPages } from '../../read-pages.ts';
import { readCount } from '../../read-values.ts';
import { accountOf } from '../accounts/find-account.ts';
import { balanceRow, entryRow, type ManagedBalance, type ManagedEntry } from './balance-rows.ts';

const account: Flag = { type: 'string', value: '<name|id>', description: 'Account; default: the oldest' };
const LINES = 20;
const LINES_MAX = 1000;
const PAGE_ROWS = 200;

export const showBalance: Command = {
  name: 'balance show',
  summary: 'Show the balance of an account, in USD',
  flags: { account },
  async run(context) {
    const control = await context.control();
    const owner = await accountOf(context);
    const text = await control.call('GET', withQuery('/control/api/balance', { account: String(owner.id) }));
    const read = context.json ? readExact : readJson;
    const data = balanceRow(read<{ data: ManagedBalance }>(text).data, owner);
    if (context.json) {
      context.terminal.out(JSON.stringify({ data }));
      return 0;
    }
    const { id } = owner;
    const name = shownText(owner.name);
    if (data.balance === null) {
      context.terminal.out(`Account ${id} "${name}" has no balance: billing is off.`);
      return 0;
    }
    context.terminal.out(`Account ${id} "${name}" (${data.billing_mode})`);
    for (const [title, amount] of [
      ['balance', data.balance],
      ['available', data.available],
      ['held', data.held],
      ['credited', data.credited],
      ['charged', data.charged],
    ])
      context.terminal.out(`${(title ?? '').padEnd(9)}  $${amount}`);
    return 0;
  },
};

export const listEntries: Command = {
  name: 'balance entries',
  summary: 'List top-ups, adjustments and refunds, newest first; charges of calls are in `ledger export`',
  flags: {
    account,
    lines: { type: 'string', value: '<n>', description: 'Number of entries, at most 1000; default: 20' },
    before: { type: 'string', value: '<id>', description: 'Only entries before this one' },
  },
  async run(context) {
    const [lines, before] = [context.text('lines'), context.text('before')];
    const limit = lines === null ? LINES : Number(readCount('--lines', lines, LINES_MAX));
    const entry = before === null ? null : Number(readCount('--before', before, Number.MAX_SAFE_INTEGER));
    const control = await context.control();
    const { id } = await accountOf(context);
    const cursor = entry === null ? null : writeMovementsCursor({ call: null, entry: entryId(entry) });
    const query = { account: String(id), kind: 'entries', cursor };
    const options = { read: context.json ? readExact : readJson, limit, pageRows: PAGE_ROWS };
    const found = await readPages<ManagedEntry>(control, '/control/api/ledger', query, options);
    const data = found.map((each) => entryRow(each, id));
    if (context.json) {
      context.terminal.out(JSON.stringify({ data }));
      return 0;
    }
    printTable(
      context,
      ['ID', 'TIME (UTC)', 'KIND', 'AMOUNT', 'REFERENCE', 'CALL', 'NOTE'],
      data.map((row) => [
        String(row.id),
        shortTime(row.at),
        row.kind,
        row.amount,
        row.reference,
        row.call ?? '-',
        row.note ?? '-',
      ]),
    );
    return 0;
  },
};
