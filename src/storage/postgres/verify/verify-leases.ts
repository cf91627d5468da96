/** Verifies what is lent: by a node that is there, and never more spent than granted. */
import { formatUsd, type Money } from '../../../core/money.ts';
import type { Findings } from '../../sqlite/verify/findings.ts';
import type { MaintenanceConnection } from '../maintenance/maintenance-connection.ts';

const PURSES = ['balance of account', 'budgets of key', 'budgets of project', 'budgets of account'];

interface Row {
  readonly kind: number;
  readonly id: number;
  readonly slot: number;
  readonly granted: bigint;
  readonly spent: bigint;
  readonly bounded: boolean;
  readonly state: string | null;
}

/** Returns the number of leases. */
export async function verifyLeases(connection: MaintenanceConnection, findings: Findings): Promise<number> {
  const rows = await connection.rows<Row>(
    `select leases.kind, leases.id, slot, granted_nano as granted, spent_nano as spent, leases.bounded, nodes.state
     from leases left join nodes using (slot)
     where nodes.slot is null or nodes.state = 'gone' or (leases.bounded and spent_nano not between 0 and granted_nano)`,
  );
  for (const { kind, id, slot, granted, spent, bounded, state } of rows) {
    const subject = `${PURSES[kind] ?? `kind ${kind}`} ${id}, slot ${slot}`;
    if (state === null || state === 'gone')
      findings.add('lease_has_node', subject, `${usd(granted - spent)} is lent to a node that is not there`);
    if (bounded && (spent < 0n || spent > granted))
      findings.add('lease_has_node', subject, `${usd(spent)} was spent of ${usd(granted)} that were lent`);
  }
  const [found] = await connection.rows<{ count: bigint }>('select count(*) as count from leases');
  return Number(found?.count ?? 0n);
}

function usd(amount: bigint): string {
  return `$${formatUsd(amount as Money)}`;
}
