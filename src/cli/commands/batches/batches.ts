/** `turnpike batches`: list, show and cancel. */
import { BATCH_FILTERS } from '../../../api/contract/batches.ts';
import type { Command, CommandContext } from '../../command.ts';
import { CommandFailed, UsageError } from '../../command-errors.ts';
import { withQuery } from '../../control-client.ts';
import { printTable, readExact, readJson, shortTime, shownText } from '../../output.ts';
import { readPages } from '../../read-pages.ts';
import { readCount } from '../../read-values.ts';
import { findAccount } from '../accounts/find-account.ts';
import { findProject } from '../accounts/find-project.ts';
import { findKeyCalled } from '../keys/find-key.ts';
import { batchRow, type FoundBatch, progressText, type WholeBatch, waitingText, wholeBatchRow } from './batch-row.ts';

const LINES = 20;
const LINES_MAX = 1000;
const PAGE_ROWS = 200;
const STATUSES: readonly string[] = BATCH_FILTERS;
const BATCH_REFERENCE = { parameters: '<id>', parameterCount: { min: 1, max: 1 } } as const;

export const listBatches: Command = {
  name: 'batches list',
  summary: 'List batches of callers, newest first, with how far they are and what waits',
  flags: {
    account: { type: 'string', value: '<name|id>', description: 'Only those of this account' },
    project: { type: 'string', value: '<name|id>', description: 'Only those of this project' },
    key: { type: 'string', value: '<id|label|name>', description: 'Only those of this key' },
    status: { type: 'string', value: '<status>', description: `Only those of this status: ${STATUSES.join(', ')}` },
    lines: { type: 'string', value: '<n>', description: 'Number of batches, at most 1000; default: 20' },
  },
  async run(context) {
    const lines = context.text('lines');
    const limit = lines === null ? LINES : Number(readCount('--lines', lines, LINES_MAX));
    const query = await queryOf(context);
    const options = { read: context.json ? readExact : readJson, limit, pageRows: PAGE_ROWS };
    const found = await readPages<FoundBatch>(await context.control(), '/control/api/all/batches', query, options);
    const data = found.map((batch) => batchRow(batch, batch.account));
    if (context.json) {
      context.terminal.out(JSON.stringify({ data }));
      return 0;
    }
    const hasSeveralAccounts = new Set(data.map(({ account }) => account.id)).size > 1;
    printTable(
      context,
      [
        'ID',
        ...(hasSeveralAccounts ? ['ACCOUNT'] : []),
        ...['PROJECT', 'KEY', 'STATUS', 'LINES', 'WAITING', 'CHARGE', 'CREATED (UTC)', 'EXPIRES (UTC)'],
      ],
      data.map((batch) => [
        batch.id,
        ...(hasSeveralAccounts ? [batch.account.name] : []),
        batch.project.name,
        batch.key.name,
        batch.status,
        progressText(batch),
        waitingText(batch),
        batch.charge ?? '-',
        shortTime(batch.created_at),
        shortTime(batch.expires_at),
      ]),
    );
    return 0;
  },
};

export const showBatch: Command = {
  name: 'batches show',
  summary: 'Show a batch with its files, its tokens and the errors of its input',
  ...BATCH_REFERENCE,
  async run(context) {
    const found = await findBatch(context);
    const control = await context.control();
    return print(context, await control.call('GET', batchPath(found)), found);
  },
};

export const cancelBatch: Command = {
  name: 'batches cancel',
  summary: 'Cancel a batch: lines that run end, no more begin, and its results so far are kept',
  ...BATCH_REFERENCE,
  async run(context) {
    const found = await findBatch(context);
    const control = await context.control();
    const text = await control.call('POST', batchPath(found, '/cancel'));
    if (context.json) return print(context, text, found);
    const { data } = readJson<{ data: WholeBatch }>(text);
    const outcome = data.status === 'cancelling' ? 'is being cancelled; lines that run end first' : `is ${data.status}`;
    context.terminal.out(`Batch ${data.id} ${outcome}.`);
    return 0;
  },
};

async function queryOf(context: CommandContext) {
  const [account, project, key, status] = ['account', 'project', 'key', 'status'].map((flag) => context.text(flag));
  if (status != null && !STATUSES.includes(status))
    throw new UsageError(`--status ${shownText(status)} is not valid; use one of ${STATUSES.join(', ')}`);
  return {
    account: account == null ? null : String((await findAccount(context, account)).id),
    project: project == null ? null : String((await findProject(context, project)).id),
    key: key == null ? null : String((await findKeyCalled(context, key, true)).id),
    status: status ?? null,
  };
}

/** Throws `CommandFailed`. */
async function findBatch(context: CommandContext): Promise<FoundBatch> {
  const control = await context.control();
  const path = withQuery('/control/api/all/batches', { reference: context.parameters[0] ?? '' });
  const [found] = readJson<{ data: readonly FoundBatch[] }>(await control.call('GET', path)).data;
  if (found === undefined) throw new CommandFailed('No batch has this id.');
  return found;
}

function batchPath({ id, account }: FoundBatch, below = ''): string {
  return withQuery(`/control/api/account-batches/${id}${below}`, { account: String(account.id) });
}

function print(context: CommandContext, text: string, { account }: FoundBatch): number {
  if (context.json) {
    const { data } = readExact<{ data: WholeBatch }>(text);
    context.terminal.out(JSON.stringify({ data: wholeBatchRow(data, account) }));
    return 0;
  }
  const { data } = readJson<{ data: WholeBatch }>(text);
  printTable(context, ['BATCH', data.id], factsOf(data, account.name));
  for (const { code, message, line } of data.errors)
    context.terminal.out(`${line === null ? 'input' : `line ${line}`}: ${code}: ${shownText(message)}`);
  return 0;
}

function factsOf(batch: WholeBatch, account: string): readonly (readonly string[])[] {
  const { tokens } = batch;
  return [
    ['status', batch.status],
    ['account', account],
    ['project', batch.project.name],
    ['key', `${batch.key.name} (${batch.key.id})`],
    ['endpoint', batch.endpoint],
    ['lines', progressText(batch)],
    ['waiting', waitingText(batch)],
    ['model', batch.model ?? '-'],
    ['charge', batch.charge ?? '-'],
    ['tokens', tokens === null ? '-' : `${tokens.input} in (${tokens.cached} cached), ${tokens.output} out`],
    ['created', `${shortTime(batch.created_at)} UTC`],
    ['expires', `${shortTime(batch.expires_at)} UTC`],
    ['ended', batch.ended_at === null ? '-' : `${shortTime(batch.ended_at)} UTC`],
    ['input file', batch.input_file_id],
    ['output file', batch.output_file_id ?? '-'],
    ['error file', batch.error_file_id ?? '-'],
  ];
}
