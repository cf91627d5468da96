/** Verifies the chain of the audit log within the snapshot that everything else is verified in. */
import type { Selectable } from 'kysely';
import { firstBreak } from '../../sql/audit.ts';
import type { AuditRow } from '../../sql/schema.ts';
import type { Findings } from '../../sqlite/verify/findings.ts';
import { sharedTypes } from '../engine/value-types.ts';
import type { MaintenanceConnection } from '../maintenance/maintenance-connection.ts';

export async function verifyAudit({ client }: MaintenanceConnection, findings: Findings): Promise<void> {
  const { rows } = await client.query<{ value: string }>("select value from facts where name = 'audit_head'");
  const broken = await firstBreak(Number(rows[0]?.value ?? 0), async (after, limit) => {
    const page = await client.query<Selectable<AuditRow>>({
      text: 'select * from audit where id > $1 order by id limit $2',
      values: [after, limit],
      types: sharedTypes,
    });
    return page.rows;
  });
  if (broken !== null)
    findings.add('audit_chain_whole', `entry ${broken}`, 'the audit log was changed, or entries of it were removed');
}
