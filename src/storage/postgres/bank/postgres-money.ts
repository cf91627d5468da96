/** The money that pages show, from the bank's tables: one statement for a page. */

import type { BudgetWindow } from '../../../core/budget.ts';
import { NO_MONEY, nanoUsd } from '../../../core/money.ts';
import type { MoneyView, ScopeMoney, ScopeRef } from '../../../nodes/ports.ts';
import type { Queryable } from '../engine/connections.ts';
import { purseCodes } from './purse-codes.ts';

interface MoneyRow {
  readonly balance: bigint | null;
  readonly credited: bigint | null;
  readonly charged: bigint | null;
  readonly today: bigint;
  readonly week: bigint;
  readonly month: bigint;
  readonly total: bigint;
  readonly own_today: bigint;
  readonly own_week: bigint;
  readonly own_month: bigint;
  readonly own_total: bigint;
  readonly last_day: number | null;
}

/** What nodes have not sent yet is missing. What running calls hold is known to their nodes only, and is 0 here. */
export class PostgresMoney implements MoneyView {
  readonly #database: Queryable;
  readonly #keepsBalances: boolean;

  constructor(database: Queryable, keepsBalances: boolean) {
    this.#database = database;
    this.#keepsBalances = keepsBalances;
  }

  async of(scopes: readonly ScopeRef[]): Promise<readonly ScopeMoney[]> {
    if (scopes.length === 0) return [];
    const { rows } = await this.#database.query<MoneyRow>(TEXT, [
      scopes.map(({ scope }) => purseCodes[scope]),
      scopes.map(({ id }) => id),
    ]);
    return rows.map((row, index) => this.#read(row, scopes[index] as ScopeRef));
  }

  #read(row: MoneyRow, { scope }: ScopeRef): ScopeMoney {
    const balance = nanoUsd(row.balance ?? 0n);
    const ownCost = windows(row.own_today, row.own_week, row.own_month, row.own_total);
    return {
      balance:
        scope === 'account' && this.#keepsBalances
          ? {
              balance,
              held: NO_MONEY,
              available: balance,
              credited: nanoUsd(row.credited ?? 0n),
              charged: nanoUsd(row.charged ?? 0n),
            }
          : null,
      spent: windows(row.today, row.week, row.month, row.total),
      ...(scope === 'key' && ownCost.total > 0n ? { ownCost } : {}),
      held: NO_MONEY,
      lastDay: row.last_day,
    };
  }
}

function windows(day: bigint, week: bigint, month: bigint, total: bigint): ScopeMoney['spent'] {
  const spent: Record<BudgetWindow, bigint> = { day, week, month, total };
  return spent as ScopeMoney['spent'];
}

const sums = (column: string, prefix: string) => `
  coalesce(sum(${column}) filter (where day >= today), 0)::bigint as ${prefix}today,
  coalesce(sum(${column}) filter (where day >= today - (today - 4) % 7), 0)::bigint as ${prefix}week,
  coalesce(sum(${column}) filter (where day >= month_start), 0)::bigint as ${prefix}month,
  coalesce(sum(${column}), 0)::bigint as ${prefix}total`;

const TEXT = `
  with moment as (select (turnpike_now() / 86400000)::integer as today),
  calendar as (
    select today, date_trunc('month', date '1970-01-01' + today)::date - date '1970-01-01' as month_start from moment
  )
  select balance_nano as balance, credited_nano as credited, charged_nano as charged, spent.*
  from calendar cross join unnest($1::smallint[], $2::integer[]) with ordinality as asked(kind, id, place)
    left join balances on kind = ${purseCodes.account} and account_id = id
    cross join lateral (
      select ${sums('charge_nano', '')}, ${sums('own_cost_nano', 'own_')}, max(day) as last_day
      from spending_days where spending_days.kind = asked.kind and spending_days.id = asked.id
    ) as spent
  order by place`;
