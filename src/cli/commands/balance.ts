/** `turnpike balance`: what an account has, and how money comes in and goes back. */
import { randomUUID } from 'node:crypto';
import { parseCallId } from '../../core/ids.ts';
import { NO_MONEY, parseUsd } from '../../core/money.ts';
import { AnsweredError, type Command, type CommandContext, type Flag, UsageError } from '../command.ts';
import { withQuery } from '../control-client.ts';
import { printTable, readJson, shortTime, shownText } from '../output.ts';
import { readCount, readText, readUsd } from '../read-values.ts';

interface BalanceRow {
  readonly account: { readonly id: number; readonly name: string };
  readonly billing_mode: string;
  /** Decimal digits; null where no balance is kept. */
  readonly balance: string | null;
  readonly available: string | null;
  readonly held: string | null;
  readonly credited: string | null;
  readonly charged: string | null;
}

interface EntryRow {
  readonly id: number;
  readonly at: string;
  readonly account_id: number;
  readonly kind: string;
  readonly amount: string;
  readonly reference: string;
  readonly call: string | null;
  readonly note: string | null;
}

interface Posted {
  readonly data: EntryRow;
  readonly is_new: boolean;
  readonly balance: BalanceRow | null;
}

const account: Flag = { type: 'string', value: '<name|id>', description: 'Whose; the oldest account when absent' };
const reference: Flag = {
  type: 'string',
  value: '<id>',
  description: 'Your own id of this entry: sent again it changes nothing; a fresh one when absent, which is printed',
};
const note: Flag = { type: 'string', value: '<text>', description: 'A remark, kept with the entry' };
const REFERENCE_LENGTH_MAX = 200;
const NOTE_LENGTH_MAX = 1000;
const LINES_MAX = 1000;
const KINDS = ['topup', 'promo', 'adjustment'];

export const showBalance: Command = {
  name: 'balance show',
  summary: 'Show what an account has, in USD',
  flags: { account },
  async run(context) {
    const control = await context.control();
    const text = await control.call('GET', withQuery('/control/balance', { account: context.text('account') }));
    if (context.json) {
      context.terminal.out(text);
      return 0;
    }
    const { data } = readJson<{ data: BalanceRow }>(text);
    const { id } = data.account;
    const name = shownText(data.account.name);
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

export const addBalance: Command = {
  name: 'balance add',
  summary: 'Add to a balance, once per reference; only an adjustment may be negative: --amount=-1.5',
  parameters: '[usd]',
  parameterCount: { min: 0, max: 1 },
  flags: {
    amount: {
      type: 'string',
      value: '<usd>',
      description: 'The amount, in place of the parameter; --amount=-1.5 takes away',
    },
    account,
    kind: { type: 'string', value: '<kind>', description: `${KINDS.join(', ')}; topup when absent` },
    reference,
    note,
  },
  async run(context) {
    const kind = context.text('kind') ?? 'topup';
    if (!KINDS.includes(kind)) throw new UsageError(`--kind ${kind} is none of ${KINDS.join(', ')}`);
    return post(context, '/control/balance/entries', {
      account: context.text('account'),
      kind,
      amount: amountOf(context, kind),
      reference: referenceOf(context),
      note: noteOf(context),
    });
  },
};

export const refundCall: Command = {
  name: 'balance refund',
  summary: 'Give back what a call was charged, or a part of it; never more than the charge',
  parameters: '<gen-id> [usd]',
  parameterCount: { min: 1, max: 2 },
  flags: { reference, note },
  async run(context) {
    const [call = '', amount] = context.parameters;
    if (parseCallId(call) === null)
      throw new UsageError(`${shownText(call)} is no id of a call; one looks like gen-… and is in \`records tail\``);
    return post(context, '/control/balance/refunds', {
      call,
      amount: amount === undefined ? null : moreThanNothing('refund', readUsd('the amount', amount)),
      reference: referenceOf(context),
      note: noteOf(context),
    });
  },
};

export const listEntries: Command = {
  name: 'balance entries',
  summary: 'List what came in and went back, newest first; what calls cost is in `ledger export`',
  flags: {
    account,
    lines: { type: 'string', value: '<n>', description: 'How many, at most 1000; 20 when absent' },
    before: { type: 'string', value: '<id>', description: 'Only those before this entry' },
  },
  async run(context) {
    const [lines, before] = [context.text('lines'), context.text('before')];
    const path = withQuery('/control/balance/entries', {
      account: context.text('account'),
      limit: lines === null ? null : readCount('--lines', lines, LINES_MAX),
      before: before === null ? null : readCount('--before', before, Number.MAX_SAFE_INTEGER),
    });
    const control = await context.control();
    const text = await control.call('GET', path);
    if (context.json) {
      context.terminal.out(text);
      return 0;
    }
    printTable(
      context,
      ['ID', 'TIME (UTC)', 'KIND', 'AMOUNT', 'REFERENCE', 'CALL', 'NOTE'],
      readJson<{ data: readonly EntryRow[] }>(text).data.map((entry) => [
        String(entry.id),
        shortTime(entry.at),
        entry.kind,
        entry.amount,
        entry.reference,
        entry.call ?? '-',
        entry.note ?? '-',
      ]),
    );
    return 0;
  },
};

function amountOf(context: CommandContext, kind: string): string {
  const [parameter] = context.parameters;
  const flag = context.text('amount');
  if ((parameter === undefined) === (flag === null))
    throw new UsageError(`balance add needs the amount once: ${context.program.name} balance add 5, or --amount=-1.5`);
  const amount = readUsd('the amount', parameter ?? flag ?? '');
  return kind === 'adjustment' ? amount : moreThanNothing(kind, amount);
}

function moreThanNothing(kind: string, amount: string): string {
  if (parseUsd(amount) <= NO_MONEY)
    throw new UsageError(`the amount ${amount} is not more than nothing, which a ${kind} must be`);
  return amount;
}

function referenceOf(context: CommandContext): string {
  const given = context.text('reference');
  return given === null ? randomUUID() : readText('--reference', given, REFERENCE_LENGTH_MAX);
}

function noteOf(context: CommandContext): string | null {
  const given = context.text('note');
  return given === null ? null : readText('--note', given, NOTE_LENGTH_MAX);
}

function retryText(context: CommandContext, reference: string): string {
  const isNotKnown = 'Whether it was posted is not known';
  return context.has('reference')
    ? `${isNotKnown}; try again with the same --reference (${shownText(reference)}).`
    : `${isNotKnown}. Its reference was ${reference}; try again with --reference ${reference}.`;
}

async function post(
  context: CommandContext,
  path: string,
  body: Readonly<Record<string, string | null>> & { readonly reference: string },
): Promise<number> {
  const control = await context.control();
  let text: string;
  try {
    text = await control.call('POST', path, body);
  } catch (error) {
    // It may have arrived all the same; whoever tries again with its reference cannot add it twice.
    if (!(error instanceof AnsweredError && error.isRefusal)) context.terminal.note(retryText(context, body.reference));
    throw error;
  }
  if (context.json) {
    context.terminal.out(text);
    return 0;
  }
  const { data, is_new: isNew, balance } = readJson<Posted>(text);
  const what = `${data.kind} of $${data.amount}`;
  const stands = isNew
    ? `Entry ${data.id}: ${what}`
    : `Nothing changed: the reference stands for entry ${data.id}, ${what}, already`;
  const now = balance?.balance == null ? '' : ` The balance is $${balance.balance}.`;
  context.terminal.out(`${stands} (reference ${shownText(data.reference)}).${now}`);
  return 0;
}
