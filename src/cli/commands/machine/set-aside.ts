/** `turnpike nodes set-aside`: the settlements that the database refused, and how they get there after all. */
import { resolve } from 'node:path';
import { setAsideView } from '../../../api/management/installation/nodes.ts';
import { setAsideInFolder } from '../../../storage/journal/set-aside.ts';
import type { Command, CommandContext } from '../../command.ts';
import { CommandFailed } from '../../command-errors.ts';
import { type ControlClient, connectToServer } from '../../control-client.ts';
import { printTable, readJson, shortTime, shownText } from '../../output.ts';

interface SetAsideRow {
  readonly call: string | null;
  readonly account_id: number | null;
  readonly admitted_at: string;
  readonly charge: string | null;
  readonly reason: string | null;
}

interface Listed {
  readonly data: readonly SetAsideRow[];
  readonly total_count: number;
}

interface Sent {
  readonly sent: number;
  readonly refused: number;
  readonly answered: boolean;
}

const LISTED_MAX = 100;

export const setAsideCalls: Command = {
  name: 'nodes set-aside',
  summary:
    'List the settlements of the node on this data folder that the database refused: they are in its journal, and the calls are not charged',
  flags: { 'send-again': { type: 'boolean', description: 'Send them again, once the cause is removed' } },
  async run(context) {
    const folder = resolve(context.cwd, context.config('all').config.dataFolder);
    const node = await connectToServer(folder);
    if (context.has('send-again')) return sendAgain(context, node, folder);
    const text = node === null ? readFolder(folder) : await node.call('GET', '/control/api/nodes/set-aside');
    if (context.json) context.terminal.out(text);
    else print(context, readJson<Listed>(text));
    return 0;
  },
};

/** As the route answers, with the reasons unknown: only a node that runs knows them. */
function readFolder(folder: string): string {
  const found = setAsideInFolder(folder, LISTED_MAX);
  if (found === null) throw new CommandFailed(`There is no journal in ${folder}: no node has run on this folder.`);
  return JSON.stringify({ data: found.calls.map(setAsideView), total_count: found.count });
}

function print(context: CommandContext, { data, total_count: count }: Listed): void {
  const { terminal } = context;
  if (count === 0) return terminal.out('Nothing is set aside: the database has refused no settlement of this node.');
  printTable(
    context,
    ['CALL', 'ACCOUNT', 'ADMITTED (UTC)', 'CHARGE (USD)', 'REASON'],
    data.map(({ call, account_id: account, admitted_at: admittedAt, charge, reason }) => [
      call ?? '-',
      account === null ? '-' : String(account),
      shortTime(admittedAt),
      charge ?? '-',
      reason === null ? 'in the log of the node' : shownText(reason),
    ]),
  );
  if (count > data.length) terminal.out(`and ${count - data.length} more`);
}

async function sendAgain(context: CommandContext, node: ControlClient | null, folder: string): Promise<number> {
  if (node === null)
    throw new CommandFailed(
      `No node runs on ${folder}. Start it (\`${context.program.serve}\`): it sends what is set aside once more by itself.`,
    );
  const text = await node.call('POST', '/control/api/nodes/set-aside/send');
  const { sent, refused, answered } = readJson<{ data: Sent }>(text).data;
  const isDone = answered && refused === 0;
  if (context.json) {
    context.terminal.out(text);
    return isDone ? 0 : 1;
  }
  context.terminal.out(sentence(sent, refused, answered));
  return isDone ? 0 : 1;
}

function sentence(sent: number, refused: number, isAnswered: boolean): string {
  if (sent === 0) return 'Nothing was set aside.';
  if (!isAnswered)
    return `The database has not answered for all ${sent} yet: the node sends them once it can be reached.`;
  if (refused === 0) return `Sent ${sent} again: they are in the database, and charged.`;
  return `Sent ${sent} again, and the database refused ${refused} of them: \`turnpike nodes set-aside\` says why.`;
}
