/** `turnpike ledger`: verify, export and seal. */
import { csvLine } from '../../../api/management/door/csv.ts';
import type { LedgerRule, Transfer } from '../../../billing/maintenance-ports.ts';
import { formatUsd, type Money, parseUsd } from '../../../core/money.ts';
import type { Command } from '../../command.ts';
import { UsageError } from '../../command-errors.ts';
import { withQuery } from '../../control-client.ts';
import { readJson } from '../../output.ts';
import { readMoment } from '../../read-values.ts';
import { findAccount } from '../accounts/find-account.ts';

/** For requests that read the whole ledger. */
const PATIENCE_MS = 6 * 3_600_000;
const PAGE_ROWS = 20_000;

interface Verification {
  readonly ok: boolean;
  readonly violation_count: number;
  readonly violations: readonly { readonly rule: LedgerRule; readonly subject: string; readonly detail: string }[];
  readonly looked_at: Readonly<Record<string, number>>;
  /** That it was not read where it usually is, and why. */
  readonly note?: string;
}

export const verifyLedger: Command = {
  name: 'ledger verify',
  summary: 'Recompute balances, charges, costs and totals; lists each violation, and fails if there is one',
  flags: { archive: { type: 'boolean', description: 'Include the archives of sealed months' } },
  async run(context) {
    const control = await context.control();
    const body = { archive: context.has('archive') };
    const text = await control.call('POST', '/control/api/ledger/verify', body, { patienceMs: PATIENCE_MS });
    const { data } = readJson<{ data: Verification }>(text);
    if (context.json) context.terminal.out(text);
    else for (const line of verificationText(data)) context.terminal.out(line);
    return data.ok ? 0 : 1;
  },
};

/** A line for each violation, and the counts of what was checked. */
export function verificationText(verification: Verification): string[] {
  const { ok, violation_count: count, violations, looked_at: seen, note } = verification;
  const counts = Object.entries(seen)
    .map(([what, number]) => `${number} ${what.replaceAll('_', ' ')}`)
    .join(', ');
  const left = count - violations.length;
  return [
    ...violations.map(({ rule, subject, detail }) => `${rule}  ${subject}: ${detail}`),
    ...(left > 0 ? [`and ${left} more`] : []),
    ...(note === undefined ? [] : [note]),
    ok ? `The ledger is correct: ${counts}.` : `${count} violations: ${counts}.`,
  ];
}

export const exportLedger: Command = {
  name: 'ledger export',
  summary:
    'Print every transfer in chronological order, one per line, then a total line; without it the export is incomplete',
  flags: {
    from: { type: 'string', value: '<date>', description: 'Start time (UTC); default: the beginning' },
    to: { type: 'string', value: '<date>', description: 'End time, not included' },
    account: { type: 'string', value: '<name|id>', description: 'Only transfers of one account' },
    format: { type: 'string', value: '<format>', description: 'csv or jsonl; default: csv' },
  },
  async run(context) {
    const name = context.text('format') ?? (context.json ? 'jsonl' : 'csv');
    if (name !== 'csv' && name !== 'jsonl') throw new UsageError(`--format ${name} is neither csv nor jsonl`);
    const format = FORMATS[name];
    const [from, to] = [context.text('from'), context.text('to')];
    const query = {
      from: from === null ? null : readMoment('from', from),
      to: to === null ? null : readMoment('to', to),
      limit: String(PAGE_ROWS),
    };
    if (query.from !== null && query.to !== null && query.from > query.to)
      throw new UsageError(`--from ${from} is later than --to ${to}`);
    const control = await context.control();
    const account = context.text('account');
    const of = account === null ? null : String((await findAccount(context, account)).id);
    let isBegun = false;
    let transfers = 0;
    let balance = 0n;
    for (let cursor: string | null = null; ; ) {
      const path = withQuery('/control/api/ledger/transfers', { ...query, of, cursor });
      const text = await control.call('GET', path, undefined, { patienceMs: PATIENCE_MS });
      const page = readJson<TransferRows>(text);
      // If the first page fails, standard output stays empty.
      if (!isBegun && format.first !== null) context.terminal.out(format.first);
      if (!isBegun && page.note !== undefined) context.terminal.note(page.note);
      isBegun = true;
      // One write per page: a write per line would be a system call each.
      if (page.data.length > 0) context.terminal.out(page.data.map(format.line).join('\n'));
      transfers += page.data.length;
      for (const transfer of page.data) balance += addedTo(transfer);
      cursor = page.next_cursor;
      if (cursor !== null) continue;
      context.terminal.out(format.last({ transfers, balance: formatUsd(balance as Money) }));
      return 0;
    }
  },
};

interface TransferRows {
  readonly data: readonly Transfer[];
  readonly next_cursor: string | null;
  /** As of `Verification`. */
  readonly note?: string;
}

interface SealRow {
  readonly month: string;
  readonly accounts: number;
  readonly settlements: number;
  readonly entries: number;
  readonly archive: string;
  readonly was_sealed: boolean;
}

export const sealLedger: Command = {
  name: 'ledger seal',
  summary: 'Close a past month: its closing balances stay, and its rows move to an archive in the data folder',
  parameters: '<2026-10>',
  parameterCount: { min: 1, max: 1 },
  async run(context) {
    const [month = ''] = context.parameters;
    if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(month)) throw new UsageError(`${month} is not a month; use the form 2026-10`);
    const body = { month };
    const control = await context.control();
    const text = await control.call('POST', '/control/api/ledger/seal', body, { patienceMs: PATIENCE_MS });
    if (context.json) {
      context.terminal.out(text);
      return 0;
    }
    const { data } = readJson<{ data: SealRow }>(text);
    const rows = `${data.settlements} settlements and ${data.entries} entries of ${data.accounts} accounts`;
    context.terminal.out(
      data.was_sealed
        ? `${data.month} was already sealed: ${rows} are in ${data.archive}.`
        : `${data.month} sealed: ${rows} moved to ${data.archive}.`,
    );
    return 0;
  },
};

interface Total {
  readonly transfers: number;
  /** What they added to balances, USD as decimal text: without filters, the sum of all balances. */
  readonly balance: string;
}

const COLUMNS = ['time', 'debit', 'credit', 'amount', 'call', 'reference', 'account'] as const;

/** `csvLine` prevents spreadsheets from reading a cell as a formula: a reference is the caller's text. */
const FORMATS = {
  csv: {
    first: csvLine(COLUMNS),
    line: (transfer: Transfer) => csvLine(COLUMNS.map((column) => transfer[column])),
    last: ({ transfers, balance }: Total) =>
      csvLine(['total', null, null, balance, null, `${transfers} transfers`, null]),
  },
  jsonl: {
    first: null,
    line: (transfer: Transfer) => JSON.stringify({ ...transfer, amount: JSON.rawJSON(transfer.amount) }),
    last: ({ transfers, balance }: Total) => JSON.stringify({ total: { transfers, balance: JSON.rawJSON(balance) } }),
  },
} as const;

/** What a transfer adds to the balance of its account. */
function addedTo({ debit, credit, amount }: Transfer): bigint {
  const moved = parseUsd(amount);
  return (credit === BALANCE ? moved : 0n) - (debit === BALANCE ? moved : 0n);
}

const BALANCE = 'available';
