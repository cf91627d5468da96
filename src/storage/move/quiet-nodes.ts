import type { MaintenanceConnection } from '../postgres/maintenance/maintenance-connection.ts';

/** Throws, with what to do, unless every node has ended in order and everything that was settled is in the database. */
export async function checkQuiet(connection: MaintenanceConnection): Promise<void> {
  const [node] = await connection.rows<{ name: string; state: string; unsent: bigint | null }>(
    `select name, state, unsent_from as unsent from nodes
     where state in ('live', 'draining') or unsent_from is not null order by state, slot limit 1`,
  );
  if (node !== undefined && (node.state === 'live' || node.state === 'draining'))
    throw new Error(`The node ${node.name} is running. Stop every node first, and wait until each has ended.`);
  if (node !== undefined)
    throw new Error(
      `The node ${node.name} was lost, and may have settlements that it has not sent. Start it once on its data folder, and stop it; if its folder is gone, run: turnpike ledger adopt`,
    );
  const lent = await connection.rows('select from leases limit 1');
  if (lent.length > 0)
    throw new Error('Something is lent to a node that is not there. Return it first: turnpike ledger adopt');
}
