/** Verifies the sums of old days that budgets without a window begin with: each must be the sum of its days. */
import type { Findings } from '../../sqlite/verify/findings.ts';
import type { MaintenanceConnection } from '../maintenance/maintenance-connection.ts';
import { SPENDING_KINDS } from './verify-spending.ts';

interface Row {
  readonly kind: number;
  readonly id: number;
  readonly day: string;
  readonly kept: string;
  readonly spent: string;
}

/** A row that is deleted is made again from the days, when the budget is next lent: see `turnpike_fold_1`. */
export async function verifySpendingBefore(connection: MaintenanceConnection, findings: Findings): Promise<void> {
  const rows = await connection.rows<Row>(
    `select kind::integer as kind, id, to_char(to_timestamp(day::bigint * 86400) at time zone 'UTC', 'YYYY-MM-DD') as day,
       charge_nano::text as kept, spent::text
     from (
       select b.kind, b.id, b.day, b.charge_nano, coalesce(sum(d.charge_nano), 0) as spent
       from spending_before b left join spending_days d on d.kind = b.kind and d.id = b.id and d.day < b.day
       group by b.kind, b.id
     ) as summed where charge_nano <> spent`,
    [],
  );
  for (const { kind, id, day, kept, spent } of rows) {
    const what = SPENDING_KINDS.find((each) => each.kind === kind)?.what ?? `kind ${kind}`;
    findings.add(
      'spending_is_the_sum',
      `${what} ${id}, before ${day}`,
      `its total budget begins with ${kept} nano-USD, and the days add up to ${spent}; ` +
        `correct it with: DELETE FROM spending_before WHERE kind = ${kind} AND id = ${id}; it is added up again when the budget is next used`,
    );
  }
}
