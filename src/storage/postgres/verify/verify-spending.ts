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
  /** Null for all days together. */
  readonly day: string | null;
  readonly kept: string;
  readonly settled: string;
}

/** Settlements of sealed months are in no table, so of those only the totals are compared. */
export async function verifySpending(
  connection: MaintenanceConnection,
  liveDay: number,
  findings: Findings,
): Promise<void> {
  const rows = await connection.rows<Row>(
    `with totals as (${SPENDING_OF_SUMS}), settled as (
       select kind, id, null::integer as day, sum(calls) as calls, sum(charge_nano) as charge_nano, sum(own_cost_nano) as own_cost_nano
       from totals group by 1, 2
       union all
       select purse.kind, purse.id, day, count(*), sum(charge_nano),
         coalesce(sum(cost_nano) filter (where own_credential <> 0), 0)
       from settlements cross join lateral (values (1, root_id), (2, project_id), (3, account_id)) as purse (kind, id)
       where day > $1 group by 1, 2, 3
     ), kept as (
       select kind::integer, id, null::integer as day, sum(calls) as calls, sum(charge_nano) as charge_nano, sum(own_cost_nano) as own_cost_nano
       from spending_days group by 1, 2
       union all
       select kind::integer, id, day, sum(calls), sum(charge_nano), sum(own_cost_nano)
       from spending_days where day > $1 group by 1, 2, 3
     )
     select coalesce(settled.kind, kept.kind) as kind, coalesce(settled.id, kept.id) as id,
       to_char(to_timestamp(coalesce(settled.day, kept.day)::bigint * 86400) at time zone 'UTC', 'YYYY-MM-DD') as day,
       format('%s calls, %s charged, %s of own credentials (nano-USD)', coalesce(kept.calls, 0), coalesce(kept.charge_nano, 0), coalesce(kept.own_cost_nano, 0)) as kept,
       format('%s, %s and %s', coalesce(settled.calls, 0), coalesce(settled.charge_nano, 0), coalesce(settled.own_cost_nano, 0)) as settled
     from settled full join kept
       on settled.kind = kept.kind and settled.id = kept.id and coalesce(settled.day, -1) = coalesce(kept.day, -1)
     where (coalesce(settled.calls, 0), coalesce(settled.charge_nano, 0), coalesce(settled.own_cost_nano, 0))
       is distinct from (coalesce(kept.calls, 0), coalesce(kept.charge_nano, 0), coalesce(kept.own_cost_nano, 0))`,
    [liveDay],
  );
  for (const { kind, id, day, kept, settled } of rows) {
    const what = SPENDING_KINDS.find((each) => each.kind === kind)?.what ?? `kind ${kind}`;
    const subject = `${what} ${id}, ${day ?? 'all days'}`;
    findings.add('spending_is_the_sum', subject, `${kept}; the settlements add up to ${settled}`);
  }
}
