/** `turnpike balance add` and `refund`: posts entries and refunds the charge of a call. */
import { randomUUID } from 'node:crypto';
import { parseCallId } from '../../../core/ids.ts';
import { NO_MONEY, parseUsd } from '../../../core/money.ts';
import type { Command, CommandContext, Flag } from '../../command.ts';
import { AnsweredError, UsageError } from '../../command-errors.ts';
import { withQuery } from '../../control-client.ts';
import { readExact, readJson, shownText } from '../../output.ts';
import { readText, readUsd } from '../../read-values.ts';
import { accountForMoney, type Named } from '../accounts/find-account.ts';
import { balanceRow, entryRow, type ManagedBalance, type ManagedEntry } from './balance-rows.ts';

interface Posted {
  readonly data: ManagedEntry;
  readonly is_new: boolean;
  readonly balance: ManagedBalance;
}

const account: Flag = {
  type: 'string',
  value: '<name|id>',
  description: 'Account; may be left out if there is only one',
};
const reference: Flag = {
  type: 'string',
  value: '<id>',
  description: 'Your id for this entry, posted only once; default: a new one, which is printed',
};
const note: Flag = { type: 'string', value: '<text>', description: 'A note, stored with the entry' };
const REFERENCE_LENGTH_MAX = 200;
const NOTE_LENGTH_MAX = 1000;
const KINDS = ['topup', 'promo', 'adjustment'];

export const addBalance: Command = {
  name: 'balance add',
  summary: 'Add to a balance, once per reference; only adjustments may be negative: --amount=-1.5',
  parameters: '[usd]',
  parameterCount: { min: 0, max: 1 },
  flags: {
    amount: {
      type: 'string',
      value: '<usd>',
      description: 'The amount, instead of the argument; --amount=-1.5 subtracts',
    },
    account,
    kind: { type: 'string', value: '<kind>', description: `${KINDS.join(', ')}; default: topup` },
    reference,
    note,
  },
  async run(context) {
    const kind = context.text('kind') ?? 'topup';
    if (!KINDS.includes(kind)) throw new UsageError(`--kind ${kind} is not one of ${KINDS.join(', ')}`);
    const body = {
      kind,
      amount: amountOf(context, kind),
      reference: referenceOf(context),
      note: noteOf(context),
    };
    return post(context, await accountForMoney(context), '/control/api/balance/entries', body);
  },
};

export const refundCall: Command = {
  name: 'balance refund',
  summary: 'Refund the charge of a call, or part of it; never more than the charge',
  parameters: '<gen-id> [usd]',
  parameterCount: { min: 1, max: 2 },
  flags: { reference, note },
  async run(context) {
    const [call = '', amount] = context.parameters;
    if (parseCallId(call) === null)
      throw new UsageError(
        `${shownText(call)} is not a call id; call ids look like gen-… and are listed by \`records tail\``,
      );
    const body = {
      call,
      amount: amount === undefined ? null : checkPositive('refund', readUsd('the amount', amount)),
      reference: referenceOf(context),
      note: noteOf(context),
    };
    const control = await context.control();
    const text = await control.call('GET', `/control/api/all/charges/${encodeURIComponent(call)}`);
    const { account: owner } = readJson<{ data: { readonly account: Named } }>(text).data;
    return post(context, owner, '/control/api/balance/refunds', body);
  },
};

function amountOf(context: CommandContext, kind: string): string {
  const [parameter] = context.parameters;
  const flag = context.text('amount');
  if ((parameter === undefined) === (flag === null))
    throw new UsageError(
      `balance add needs exactly one amount: ${context.program.name} balance add 5, or --amount=-1.5`,
    );
  const amount = readUsd('the amount', parameter ?? flag ?? '');
  return kind === 'adjustment' ? amount : checkPositive(kind, amount);
}

function checkPositive(kind: string, amount: string): string {
  if (parseUsd(amount) <= NO_MONEY) throw new UsageError(`the amount ${amount} is not positive, as a ${kind} must be`);
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
  const isNotKnown = 'It is not known whether it was posted';
  return context.has('reference')
    ? `${isNotKnown}; try again with the same --reference (${shownText(reference)}).`
    : `${isNotKnown}. Its reference was ${reference}; try again with --reference ${reference}.`;
}

async function post(
  context: CommandContext,
  account: Named,
  path: string,
  body: Readonly<Record<string, string | null>> & { readonly reference: string },
): Promise<number> {
  const control = await context.control();
  let text: string;
  try {
    text = await control.call('POST', withQuery(path, { account: String(account.id) }), body);
  } catch (error) {
    // It may have arrived nevertheless; a retry with the same reference cannot add it twice.
    if (!(error instanceof AnsweredError && error.isRefusal)) context.terminal.note(retryText(context, body.reference));
    throw error;
  }
  if (context.json) {
    const { data, is_new, balance } = readExact<Posted>(text);
    const answer = { data: entryRow(data, account.id), is_new, balance: balanceRow(balance, account) };
    context.terminal.out(JSON.stringify(answer));
    return 0;
  }
  const { data: posted, is_new: isNew, balance } = readJson<Posted>(text);
  const data = entryRow(posted, account.id);
  const what = `${data.kind} of $${data.amount}`;
  const outcome = isNew
    ? `Entry ${data.id}: ${what}`
    : `Nothing changed: the reference already belongs to entry ${data.id}, ${what}`;
  const now = balance.balance === null ? '' : ` The balance is $${balance.balance}.`;
  context.terminal.out(`${outcome} (reference ${shownText(data.reference)}).${now}`);
  return 0;
}
