/** Counts settlements whose account is not in the database: it went back in a failover or a restore, and the operator bears them. */
import type { MaintenanceConnection } from '../maintenance/maintenance-connection.ts';

/** Of all months, sealed or not; from the daily sums, so it is quick. */
export async function countUnowned(connection: MaintenanceConnection): Promise<number> {
  const [row] = await connection.rows<{ calls: bigint }>(
    `select coalesce(sum(calls), 0)::bigint as calls from rollups_day
     where not exists (select from accounts where accounts.id = rollups_day.account_id)`,
    [],
  );
  return Number(row?.calls ?? 0n);
}
