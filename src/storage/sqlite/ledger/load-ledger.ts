/** Reads what the bank keeps in memory, row by row, as there may be a million keys. */
import type { DatabaseSync } from 'node:sqlite';
import type { AccountTotals, LoadedLedger, SpentSoFar } from '../../../billing/ports.ts';
import { dayOf, monthOf, weekOf } from '../../../core/calendar.ts';
import {
  type AccountId,
  accountId,
  type EntryId,
  entryId,
  type KeyId,
  keyId,
  type ProjectId,
  projectId,
} from '../../../core/ids.ts';
import { nanoUsd } from '../../../core/money.ts';

/** Sums are for the day, week and month of `nowMs`. */
export function loadLedger(database: DatabaseSync, nowMs: number): LoadedLedger {
  const day = dayOf(nowMs);
  const keys = new Map<KeyId, SpentSoFar>();
  const projects = new Map<ProjectId, SpentSoFar>();
  const accounts = new Map<AccountId, SpentSoFar>();
  const ofKey = 'coalesce((SELECT root_id FROM keys WHERE keys.id = key_id), key_id)';
  const ownCosts = new Map<KeyId, SpentSoFar>();
  for (const { id, spent } of spentBy(database, ofKey, day)) keys.set(keyId(id), spent);
  for (const { id, spent } of spentBy(database, ofKey, day, OWN)) ownCosts.set(keyId(id), spent);
  for (const { id, spent } of spentBy(database, 'project_id', day)) projects.set(projectId(id), spent);
  for (const { id, spent } of spentBy(database, 'account_id', day)) accounts.set(accountId(id), spent);
  const spent = { keys, projects, accounts };
  return { balances: readBalances(database), lastEntry: readLastEntry(database), spent, ownCosts };
}

function readLastEntry(database: DatabaseSync): EntryId | null {
  const { last } = database.prepare('SELECT max(id) AS last FROM entries').get() as { last: number | null };
  return last === null ? null : entryId(last);
}

function readBalances(database: DatabaseSync): Map<AccountId, AccountTotals> {
  const balances = new Map<AccountId, AccountTotals>();
  const statement = database.prepare('SELECT account_id, balance_nano, credited_nano, charged_nano FROM balances');
  statement.setReadBigInts(true);
  for (const row of statement.iterate() as Iterable<Record<string, bigint>>) {
    const {
      account_id: id = 0n,
      balance_nano: balance = 0n,
      credited_nano: credited = 0n,
      charged_nano: charged = 0n,
    } = row;
    balances.set(accountId(Number(id)), {
      balance: nanoUsd(balance),
      credited: nanoUsd(credited),
      charged: nanoUsd(charged),
    });
  }
  return balances;
}

interface SpentRow {
  readonly id: bigint;
  readonly today: bigint;
  readonly week: bigint;
  readonly month: bigint;
  readonly total: bigint;
  readonly calls: bigint;
  readonly last: bigint;
}

interface Summed {
  readonly column: string;
  /** The condition of rows that count. */
  readonly where: string;
}

const CHARGES: Summed = { column: 'charge_nano', where: '1' };
const OWN: Summed = { column: 'own_cost_nano', where: 'own_cost_nano > 0' };

/** `id` is the expression over `rollups_day` by which sums are grouped. */
function* spentBy(
  database: DatabaseSync,
  id: string,
  day: number,
  { column, where }: Summed = CHARGES,
): Iterable<{ id: number; spent: SpentSoFar }> {
  const statement = database.prepare(
    `SELECT id,
       sum(CASE WHEN start = :day THEN nano ELSE 0 END) AS today,
       sum(CASE WHEN start >= :week THEN nano ELSE 0 END) AS week,
       sum(CASE WHEN start >= :month THEN nano ELSE 0 END) AS month,
       sum(nano) AS total,
       sum(CASE WHEN start = :day THEN calls ELSE 0 END) AS calls,
       max(start) AS last
     FROM (SELECT ${id} AS id, start, ${column} AS nano, calls FROM rollups_day WHERE ${where}) GROUP BY id`,
  );
  statement.setReadBigInts(true);
  const parameters = { day, week: weekOf(day), month: monthOf(day) };
  for (const row of statement.iterate(parameters) as Iterable<unknown>) {
    const { id, today, week, month, total, calls, last } = row as SpentRow;
    const spent: SpentSoFar = {
      day,
      today: nanoUsd(today),
      week: nanoUsd(week),
      month: nanoUsd(month),
      total: nanoUsd(total),
      callsToday: Number(calls),
      lastDay: Number(last),
    };
    yield { id: Number(id), spent };
  }
}
