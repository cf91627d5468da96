import type { DatabaseSync } from 'node:sqlite';
import { SETTLEMENT_COLUMN_NAMES, type SettlementColumnName } from '../../sql/ledger/settlement-columns.ts';

/** Of the columns of settlements those that a database has, in their order: an archive has those of when its month was sealed. */
export function settlementColumnsIn(
  database: DatabaseSync,
  schema: string,
  table: 'settlements' | 'holds' = 'settlements',
): readonly SettlementColumnName[] {
  const rows = database.prepare(`PRAGMA ${schema}.table_info(${table})`).all() as { name: string }[];
  const there = new Set(rows.map(({ name }) => name));
  return SETTLEMENT_COLUMN_NAMES.filter((name) => there.has(name));
}
