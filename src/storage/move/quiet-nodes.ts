import { lastSeen, mayRun, type UnendedNode } from '../postgres/maintenance/ended-nodes.ts';
import type { MaintenanceConnection } from '../postgres/maintenance/maintenance-connection.ts';

const SEND =
  'Start it again on its data folder, so that it sends what it has settled, and stop it when it is ready; ' +
  'if that folder is gone, run: turnpike ledger adopt';

/** Throws, with what to do, unless every node has ended in order and everything that was settled is in the database. */
export async function checkQuiet(connection: MaintenanceConnection): Promise<void> {
  const [node] = await connection.rows<UnendedNode>(
    `select name, state, seen_at, turnpike_now() as now from nodes
     where state in ('live', 'draining') or unsent_from is not null order by seen_at desc, slot limit 1`,
  );
  if (node !== undefined) throw new Error(mayRun(node) ? runningText(node) : unendedText(node));
  const lent = await connection.rows('select from leases limit 1');
  if (lent.length > 0)
    throw new Error('Something is lent to a node that is not there. Return it first: turnpike ledger adopt');
}

function runningText(node: UnendedNode): string {
  return `${lastSeen(node)}, so it runs, or was killed just now. Stop every node first, and wait until each has ended. If it was killed: ${SEND}`;
}

function unendedText(node: UnendedNode): string {
  return `${lastSeen(node)}, and has not ended in order: it was killed, or has lost the database, and may have settlements that it has not sent. ${SEND}`;
}
