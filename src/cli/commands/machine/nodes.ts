/** `turnpike nodes`: the nodes of the installation. */
import { NODE_WORDS } from '../../../nodes/node-words.ts';
import { NAME_ADVICE } from '../../../nodes/shared-names.ts';
import type { Command } from '../../command.ts';
import { printTable, readJson, shortTime } from '../../output.ts';

interface NodeRow {
  readonly slot: number;
  readonly name: string;
  /** Absent at servers of earlier versions. */
  readonly name_is_shared?: boolean;
  readonly version: string;
  readonly state: string;
  readonly answers: boolean;
  readonly seen_at: string;
  readonly seen_ago_ms: number;
  readonly changes_behind: number;
  readonly unsent_since: string | null;
  readonly lent: number;
}

export const listNodes: Command = {
  name: 'nodes',
  summary:
    'List the nodes of the installation: who is live, its version, what it has not caught up with, what is lent to it',
  words: NODE_WORDS,
  async run(context) {
    const control = await context.control();
    const text = await control.call('GET', '/control/api/nodes');
    if (context.json) {
      context.terminal.out(text);
      return 0;
    }
    const { shared: isShared, data } = readJson<{ shared: boolean; data: readonly NodeRow[] }>(text);
    if (!isShared) {
      context.terminal.out(
        'This installation is one process: its data is in its folder. DATABASE_URL makes room for more nodes.',
      );
      return 0;
    }
    printTable(
      context,
      ['SLOT', 'NAME', 'VERSION', 'STATE', 'LAST SEEN (UTC)', 'CHANGES BEHIND', 'UNSENT SINCE (UTC)', 'LENT (USD)'],
      data.map((node) => [
        String(node.slot),
        node.answers ? `${node.name} (answers)` : node.name,
        node.version,
        stateOf(node),
        shortTime(node.seen_at),
        String(node.changes_behind),
        node.unsent_since === null ? '' : shortTime(node.unsent_since),
        String(node.lent),
      ]),
    );
    const shared = new Set(data.filter(({ name_is_shared: is }) => is === true).map(({ name }) => name));
    for (const name of shared) context.terminal.note(`More than one node is named ${name}. ${NAME_ADVICE}`);
    return 0;
  },
};

/** A node that should be heard of has the time since then. */
function stateOf({ state, seen_ago_ms: agoMs }: NodeRow): string {
  return state === 'silent' ? `silent for ${Math.round(agoMs / 1_000)} s` : state;
}
