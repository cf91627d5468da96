/** Reads all balances and everything that was spent: for tests and comparisons, because nodes ask for what they need. */
import type { AccountTotals, LoadedLedger, SpentSoFar } from '../../../billing/ports.ts';
import { dayOf, monthOf, weekOf } from '../../../core/calendar.ts';
import { type AccountId, accountId, entryId, keyId, projectId } from '../../../core/ids.ts';
import { nanoUsd } from '../../../core/money.ts';
import { purseCodes } from '../bank/purse-codes.ts';
import type { Queryable } from '../engine/connections.ts';

interface BalanceRow {
  readonly account_id: number;
  readonly balance: bigint;
  readonly credited: bigint;
  readonly charged: bigint;
}

interface SpentRow {
  readonly id: number;
  readonly today: bigint;
  readonly week: bigint;
  readonly month: bigint;
  readonly total: bigint;
  readonly calls: bigint;
  readonly last: number;
}

/** Sums are for the day, week and month of `nowMs`. */
export async function loadLedger(database: Queryable, nowMs: number): Promise<LoadedLedger> {
  const day = dayOf(nowMs);
  const spentBy = <Id extends number>(
    kind: number,
    column: 'charge_nano' | 'own_cost_nano',
    idOf: (id: number) => Id,
  ) => readSpent(database, { kind, column, day }, idOf);
  return {
    balances: await readBalances(database),
    lastEntry: await readLastEntry(database),
    spent: {
      keys: await spentBy(purseCodes.key, 'charge_nano', keyId),
      projects: await spentBy(purseCodes.project, 'charge_nano', projectId),
      accounts: await spentBy(purseCodes.account, 'charge_nano', accountId),
    },
    ownCosts: await spentBy(purseCodes.key, 'own_cost_nano', keyId),
  };
}

async function readLastEntry(database: Queryable): Promise<LoadedLedger['lastEntry']> {
  const { rows } = await database.query<{ readonly last: number | null }>(
    'select max(id)::integer as last from entries',
  );
  const last = rows[0]?.last ?? null;
  return last === null ? null : entryId(last);
}

async function readBalances(database: Queryable): Promise<ReadonlyMap<AccountId, AccountTotals>> {
  const { rows } = await database.query<BalanceRow>(
    'select account_id, balance_nano as balance, credited_nano as credited, charged_nano as charged from balances',
  );
  return new Map(
    rows.map(({ account_id, balance, credited, charged }) => [
      accountId(account_id),
      { balance: nanoUsd(balance), credited: nanoUsd(credited), charged: nanoUsd(charged) },
    ]),
  );
}

interface SpentBy {
  readonly kind: number;
  readonly column: 'charge_nano' | 'own_cost_nano';
  readonly day: number;
}

async function readSpent<Id extends number>(
  database: Queryable,
  { kind, column, day }: SpentBy,
  idOf: (id: number) => Id,
): Promise<ReadonlyMap<Id, SpentSoFar>> {
  const nano = (where: string) => `coalesce(sum(${column}) filter (where ${where}), 0)::bigint`;
  const { rows } = await database.query<SpentRow>(
    `select id, ${nano('day = $2')} as today, ${nano('day >= $3')} as week, ${nano('day >= $4')} as month,
       ${nano('true')} as total, coalesce(sum(calls) filter (where day = $2), 0)::bigint as calls, max(day) as last
     from spending_days where kind = $1 ${column === 'own_cost_nano' ? 'and own_cost_nano > 0' : ''} group by id`,
    [kind, day, weekOf(day), monthOf(day)],
  );
  return new Map(
    rows.map(({ id, today, week, month, total, calls, last }) => [
      idOf(id),
      {
        day,
        today: nanoUsd(today),
        week: nanoUsd(week),
        month: nanoUsd(month),
        total: nanoUsd(total),
        callsToday: Number(calls),
        lastDay: last,
      },
    ]),
  );
}
