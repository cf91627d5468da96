/** `turnpike ledger adopt`: gives up what is lent to nodes, after a restore, or because a node's data folder is gone. */
import { formatUsd, type Money, parseUsd } from '../../../core/money.ts';
import type { Command } from '../../command.ts';
import { confirm } from '../../confirm.ts';
import type { ControlClient } from '../../control-client.ts';
import { readJson } from '../../output.ts';

/** Each node waits for what is under way in its slot. */
const PATIENCE_MS = 600_000;

interface Nodes {
  readonly shared: boolean;
  readonly data: readonly { readonly lent: string }[];
}

interface Adopted {
  readonly nodes: number;
  readonly returned: string;
}

export const adoptLedger: Command = {
  name: 'ledger adopt',
  summary:
    'Return everything that is lent to nodes, which register again: after the database was restored to an earlier time, or if the data folder of a node is gone; asks first',
  flags: { yes: { type: 'boolean', description: 'Go on without asking' } },
  async run(context) {
    const control = await context.control();
    const sentence = await consequence(control);
    if (sentence !== null) await confirm(context, { sentence, declined: 'Nothing was returned' });
    const text = await control.call('POST', '/control/api/ledger/adopt', undefined, { patienceMs: PATIENCE_MS });
    if (context.json) {
      context.terminal.out(text);
      return 0;
    }
    const { nodes, returned } = readJson<{ data: Adopted }>(text).data;
    context.terminal.out(`The epochs of ${nodes} nodes are over, and $${returned} that were lent to them returned.`);
    return 0;
  },
};

/** Null if nothing can be lent: the route says so itself. */
async function consequence(control: ControlClient): Promise<string | null> {
  const { shared, data } = readJson<Nodes>(await control.call('GET', '/control/api/nodes'));
  if (!shared) return null;
  const lent = data.reduce((sum, node) => sum + parseUsd(node.lent), 0n);
  return (
    `This ends the epochs of ${data.length} nodes, and returns $${formatUsd(lent as Money)} that are lent to them. What one of them has settled and ` +
    'not sent is charged only as far as there is money then, and the operator bears the rest. A node that has its data folder, on a database ' +
    'that was not restored, needs no adopting: start it, and it sends everything.'
  );
}
