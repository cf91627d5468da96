/** What the tables of the bank have, and what must be true of them whatever was asked. Lines are those of the model. */

const purse = (kind: string, id: string) =>
  `(array['balance', 'key', 'project', 'account'])[${kind} + 1] || ' ' || ${id}`;
const orNull = (column: string) => `coalesce(${column}::text, 'null')`;
const hex = (column: string) => `encode(${column}, 'hex')`;

/** `$1`: whether balances are paid in advance. Otherwise nobody asks for shares of them, and what calls take from them is a detail. */
export const TABLES_SQL = `
  select 'account ' || account_id || ': ' || case when $1::boolean then free_nano || ' of ' else '' end || balance_nano
      || ', ' || b.credited_nano || ', ' || b.charged_nano as line
    from balances as b join funds using (account_id)
    where (free_nano, balance_nano, b.credited_nano, b.charged_nano) <> (0, 0, 0, 0)
  union all select 'lease ' || ${purse('kind', 'id')} || ' of ' || slot || ': ' || granted_nano || ', ' || spent_nano
      || ', number ' || seq from leases where kind > 0 or $1::boolean
  union all select 'limits ' || ${purse('kind', 'id')} || ': ' || coalesce(day_nano::text, 'none') || ', '
      || coalesce(week_nano::text, 'none') || ', ' || coalesce(month_nano::text, 'none') || ', ' || coalesce(total_nano::text, 'none')
    from budget_purses where coalesce(day_nano, week_nano, month_nano, total_nano) is not null
  union all select 'day ' || day || ' of ' || ${purse('kind', 'id')} || ': ' || sum(calls) || ', ' || sum(charge_nano) || ', ' || sum(own_cost_nano)
    from spending_days group by kind, id, day
  union all select 'node ' || slot || ': ' || id || ', ' || state || ', ' || epoch || ', ' || ${orNull('carried_epoch')} || ', ' || seen_at
      || ', ' || feed_seq || ', ' || ${orNull('unsent_from')} from nodes
  union all select 'call ' || ${hex('call_id')} || ': ' || charge_nano || ', ' || node_loss_nano || ', key ' || root_id || ', day ' || day
    from settlements
  union all select 'hours of ' || account_id || ': ' || sum(charge_nano) from rollups_hour group by account_id
  union all select 'days of ' || account_id || ': ' || sum(charge_nano) from rollups_day group by account_id
  union all select 'entry ' || account_id || ' ' || reference || ': ' || kind || ', ' || amount_nano || ', ' || ${orNull(hex('call_id'))} from entries
  union all select 'claim ' || project_id || ' ' || ${hex('key_digest')} || ': ' || ${hex('call_id')} || ', ' || slot || ', ' || epoch || ', '
      || expires_at || ', ' || ${hex('body_digest')} from replay_claims
  union all select 'replay ' || project_id || ' ' || ${hex('key_digest')} || ': ' || ${hex('call_id')} || ', ' || ${hex('body_digest')} from replays
  union all select 'superseded ' || ${hex('call_id')} || ': ' || ${orNull(hex('by_call_id'))} from superseded_calls`;

const keptAccount = 'account_id not in (select id from lost_accounts)';

/** `$1` as above; `$2`: every call was lent its money, so no balance is below zero. What was lost with its account is left out. */
export const VIOLATIONS_SQL = `
  with charged as (
    select account_id, sum(charge_nano) filter (where hold_nano is not null) as held, sum(charge_nano) as nano
    from settlements group by account_id
  ), posted as (
    select account_id, sum(amount_nano) as nano, sum(amount_nano) filter (where kind = 'refund') as refunded from entries group by account_id
  ), spent as (
    select purse.kind, purse.id, day, sum(charge_nano) as nano, count(*) as calls from settlements
      cross join lateral (values (1, root_id), (2, project_id), (3, account_id)) as purse(kind, id) group by 1, 2, 3
  ), counted as (
    select kind, id, day, sum(charge_nano) as nano, sum(calls) as calls from spending_days group by 1, 2, 3
  )
  select 'balance of ' || account_id || ' is ' || balance_nano || ', not ' || (coalesce(posted.nano, 0) - coalesce(held, 0)) as line
    from balances left join posted using (account_id) left join charged using (account_id)
    where ${keptAccount} and balance_nano <> coalesce(posted.nano, 0) - coalesce(held, 0)
  union all select 'charged to ' || account_id || ': ' || charged_nano || ', not ' || (coalesce(held, 0) - coalesce(refunded, 0))
    from balances left join posted using (account_id) left join charged using (account_id)
    where ${keptAccount} and charged_nano <> coalesce(held, 0) - coalesce(refunded, 0)
  union all select 'account ' || account_id || ' gives and gets: ' || balance_nano || ' <> ' || credited_nano || ' - ' || charged_nano
    from balances where balance_nano <> credited_nano - charged_nano
  union all select 'more is lent than there is of ' || account_id from balances
    where $1::boolean and $2::boolean and ${keptAccount}
      and balance_nano < (select coalesce(sum(granted_nano - spent_nano), 0) from leases where kind = 0 and id = account_id)
  union all select 'lease ' || kind || ' ' || id || ' of ' || slot || ' has ' || spent_nano || ' spent of ' || granted_nano
    from leases where (kind > 0 or $1::boolean) and spent_nano not between 0 and granted_nano
  union all select 'lease ' || kind || ' ' || leases.id || ' of slot ' || leases.slot || ', which is ' || coalesce(state, 'nobody''s')
    from leases left join nodes using (slot) where coalesce(state, '') not in ('live', 'draining')
  union all select 'day ' || day || ' of ' || kind || ' ' || id || ': ' || coalesce(counted.nano, 0) || ' counted, ' || coalesce(spent.nano, 0) || ' charged'
    from spent full join counted using (kind, id, day)
    where coalesce(spent.nano, 0) <> coalesce(counted.nano, 0) or coalesce(spent.calls, 0) <> coalesce(counted.calls, 0)
  union all select 'old days of ' || kind || ' ' || id || ': ' || charge_nano || ' before ' || spending_before.day
    from spending_before
    where charge_nano <> (select coalesce(sum(nano), 0) from spent
      where spent.kind = spending_before.kind and spent.id = spending_before.id and spent.day < spending_before.day)
      and spending_before.day <= turnpike_now() / 86400000 - 32
  union all select 'sums of ' || account_id from charged
    where nano <> (select sum(charge_nano) from rollups_hour as r where r.account_id = charged.account_id)
      or nano <> (select sum(charge_nano) from rollups_day as r where r.account_id = charged.account_id)
  union all select 'call ' || ${hex('call_id')} || ' costs ' || cost_nano || ', and ' || charge_nano || ' + ' || node_loss_nano || ' is borne'
    from settlements where charge_nano < 0 or node_loss_nano < 0 or charge_nano + node_loss_nano <> cost_nano
  union all select 'call ' || ${hex('call_id')} || ' has lost its name, and is charged ' || charge_nano
    from settlements join superseded_calls using (call_id) where charge_nano <> 0`;
