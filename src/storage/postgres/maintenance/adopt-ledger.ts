/**
 * After a restore to an earlier time: what nodes were lent since then is unknown to the database, and what it knows was lent may be spent. So every
 * epoch is over, and everything that is lent returns. What nodes settle from before comes late, so it is refused while one runs.
 */

import type { AdoptReport } from '../../../billing/maintenance-ports.ts';
import { GatewayError } from '../../../core/errors.ts';
import { nanoUsd } from '../../../core/money.ts';
import { lastSeen, mayRun, secondsToSilence, type UnendedNode } from './ended-nodes.ts';
import type { MaintenanceConnection } from './maintenance-connection.ts';

export function adoptLedger(connection: MaintenanceConnection): Promise<AdoptReport> {
  return connection.transaction('', async () => {
    await refuseRunning(connection);
    const nodes = await connection.rows<{ slot: number; lent: bigint }>(
      `select slot, coalesce((
         select sum(granted_nano - spent_nano) from leases where leases.slot = nodes.slot and kind = 0), 0)::bigint as lent
       from nodes order by slot`,
    );
    const orphans = await connection.rows<{ slot: number }>(
      'select distinct slot from leases where slot not in (select slot from nodes) order by slot',
    );
    let lent = 0n;
    for (const { slot, lent: of } of nodes) {
      await connection.rows('select turnpike_lock_slot_1($1::smallint)', [slot]);
      // Larger than any that was ever given: new ones are at least the time of their registration.
      await connection.rows(
        `update nodes set epoch = greatest((select max(epoch) from nodes) + 1, turnpike_now()), carried_epoch = null,
           state = case when state = 'gone' then 'gone' else 'lost' end, unsent_from = null where slot = $1`,
        [slot],
      );
      await connection.rows('select turnpike_close_slot_1($1::smallint)', [slot]);
      lent += of;
    }
    for (const { slot } of orphans) await connection.rows('select turnpike_close_slot_1($1::smallint)', [slot]);
    return { nodes: nodes.length, returned: nanoUsd(lent) };
  });
}

/** A node that runs is seen every 5 s. One that a restored database believes to be live is not. */
async function refuseRunning(connection: MaintenanceConnection): Promise<void> {
  const live = await connection.rows<UnendedNode>(
    `select name, state, seen_at, turnpike_now() as now from nodes where state in ('live', 'draining') order by slot`,
  );
  const node = live.find(mayRun);
  if (node !== undefined)
    throw new GatewayError('conflict', {
      message:
        `${lastSeen(node)}, so it may be running, and what it was lent would be lent again. Stop every node first. If it was killed, ` +
        `start it again on its data folder, and it sends what it has settled; if that folder is gone, try again in ${secondsToSilence(node)} s.`,
    });
}
