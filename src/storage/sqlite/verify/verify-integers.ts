/**
 * Verifies that every amount is an integer. SQLite columns accept any type, and a sum that exceeds 64 bits becomes a float: then
 * nothing can be added up exactly, so this is checked before the sums.
 */
import type { DatabaseSync } from 'node:sqlite';
import { BALANCE_COLUMNS, ROLLUP_SUMS } from '../../sql/ledger/rollup-columns.ts';
import { SETTLEMENT_COLUMNS } from '../../sql/ledger/settlement-columns.ts';
import type { Findings } from './findings.ts';

type AmountColumns = Readonly<Record<string, readonly string[]>>;

const OF_SETTLEMENT = SETTLEMENT_COLUMNS.filter(({ kind }) => kind === 'money').map(({ column }) => column);
const OF_ROLLUP = ROLLUP_SUMS.filter((column) => column.endsWith('_nano'));

/** Small tables, which are also part of the quick check. */
export const BALANCES_AND_HOLDS: AmountColumns = {
  balances: BALANCE_COLUMNS.slice(1),
  holds: OF_SETTLEMENT,
};
export const ALL_AMOUNTS: AmountColumns = {
  ...BALANCES_AND_HOLDS,
  entries: ['amount_nano'],
  settlements: OF_SETTLEMENT,
  rollups_hour: OF_ROLLUP,
  rollups_day: OF_ROLLUP,
};
export const ARCHIVED_AMOUNTS: AmountColumns = { entries: ['amount_nano'], settlements: OF_SETTLEMENT };

/** Returns whether all are integers; adding up would fail otherwise. `where` names the archive; null for the ledger. */
export function verifyIntegers(
  database: DatabaseSync,
  columns: AmountColumns,
  findings: Findings,
  where: string | null = null,
): boolean {
  const before = findings.count;
  for (const [table, declared] of Object.entries(columns)) {
    // An archive has the columns of when its month was sealed.
    const there = new Set(
      database
        .prepare(`PRAGMA table_info(${table})`)
        .all()
        .map(({ name }) => name),
    );
    const names = declared.filter((name) => there.has(name));
    // Null is valid: a cost without a price, a hold without billing.
    const isWrong = (name: string) => `typeof(${name}) NOT IN ('integer', 'null')`;
    const rows = database
      .prepare(
        `SELECT account_id AS account, ${names.map((name) => `CASE WHEN ${isWrong(name)} THEN cast(${name} AS text) END AS ${name}`).join(', ')}
         FROM ${table} WHERE ${names.map(isWrong).join(' OR ')}`,
      )
      .iterate() as Iterable<Record<string, unknown>>;
    for (const row of rows)
      for (const name of names)
        if (row[name] !== null)
          findings.add(
            'database_sound',
            where === null ? table : `${table}, ${where}`,
            `${name} of account ${row['account']} holds ${row[name]}, which is not an integer, so nothing was added up`,
          );
  }
  return findings.count === before;
}
