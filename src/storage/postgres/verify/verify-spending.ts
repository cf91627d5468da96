/** Verifies what budgets count, day by day: it must be what the daily sums of the settlements say. */
import type { Findings } from '../../sqlite/verify/findings.ts';
import type { MaintenanceConnection } from '../maintenance/maintenance-connection.ts';

/** Of `spending_days`: the kinds of purses with budgets. */
export const SPENDING_KINDS = [
  { kind: 1, what: 'key', id: 'coalesce(keys.root_id, rollups_day.key_id)' },
  { kind: 2, what: 'project', id: 'project_id' },
  { kind: 3, what: 'account', id: 'account_id' },
] as const;

/** What the daily sums say, as rows of `spending_days` without a slot. */
export const SPENDING_OF_SUMS = SPENDING_KINDS.map(
  ({
    kind,
    id,
  }) => `select ${kind} as kind, ${id === 'coalesce(keys.root_id, rollups_day.key_id)' ? id : `rollups_day.${id}`} as id, start as day,
    sum(calls)::bigint as calls, sum(charge_nano)::bigint as charge_nano, sum(own_cost_nano)::bigint as own_cost_nano
  from rollups_day${kind === 1 ? ' left join keys on keys.id = rollups_day.key_id' : ''} group by 2, 3`,
).join(' union all ');

interface Row {
  readonly kind: number;
  readonly id: number;
  readonly day: string;
  readonly kept: string;
  readonly settled: string;
}

export async function verifySpending(connection: MaintenanceConnection, findings: Findings): Promise<void> {
  const rows = await connection.rows<Row>(
    `with settled as (${SPENDING_OF_SUMS}), kept as (
       select kind, id, day, sum(calls)::bigint as calls, sum(charge_nano)::bigint as charge_nano, sum(own_cost_nano)::bigint as own_cost_nano
       from spending_days group by 1, 2, 3
     )
     select kind::integer as kind, id, to_char(to_timestamp(day::bigint * 86400) at time zone 'UTC', 'YYYY-MM-DD') as day,
       format('%s calls, %s charged, %s of own credentials (nano-USD)', coalesce(kept.calls, 0), coalesce(kept.charge_nano, 0), coalesce(kept.own_cost_nano, 0)) as kept,
       format('%s, %s and %s', coalesce(settled.calls, 0), coalesce(settled.charge_nano, 0), coalesce(settled.own_cost_nano, 0)) as settled
     from settled full join kept using (kind, id, day)
     where (coalesce(settled.calls, 0), coalesce(settled.charge_nano, 0), coalesce(settled.own_cost_nano, 0))
       is distinct from (coalesce(kept.calls, 0), coalesce(kept.charge_nano, 0), coalesce(kept.own_cost_nano, 0))`,
  );
  for (const { kind, id, day, kept, settled } of rows) {
    const what = SPENDING_KINDS.find((each) => each.kind === kind)?.what ?? `kind ${kind}`;
    findings.add('spending_is_the_sum', `${what} ${id}, ${day}`, `${kept}; the settlements add up to ${settled}`);
  }
}
