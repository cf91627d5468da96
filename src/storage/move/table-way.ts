/**
 * How the rows of a table are read from either engine, and written to PostgreSQL: as they are, except that PostgreSQL splits sums by the slot
 * of a node, and a balance into what is free and what is lent.
 */
import { ROLLUP_DIMENSIONS } from '../sql/ledger/rollup-columns.ts';
import type { CopiedTable } from './copied-tables.ts';

export interface TableWay {
  /** The columns of SQLite, in order: in both engines, rows that are the same are the same bytes. */
  readonly inSqlite: string;
  readonly inPostgres: string;
  readonly into: string;
  /** Expressions of SQLite for further columns that PostgreSQL has. */
  readonly further: readonly string[];
}

export interface WaySetting {
  /** Whether balances may not go below zero. */
  readonly isPrepaid: boolean;
  /** Of the table in PostgreSQL. */
  readonly columns: ReadonlySet<string>;
}

/** The slot of rows that were no node's. */
const NO_SLOT = '0';
const ROOT = 'coalesce((SELECT root_id FROM keys WHERE keys.id = key_id), key_id)';

export function wayOf(table: CopiedTable, { isPrepaid, columns }: WaySetting): TableWay {
  const names = table.columns.map(({ name }) => name);
  const order = table.key.length === 0 ? '' : ` order by ${table.key.join(', ')}`;
  const inSqlite = `select ${names.join(', ')} from ${table.name}`;
  const inPostgres = `${inSqlite}${order}`;
  if (table.name === 'balances')
    return {
      inSqlite,
      inPostgres,
      into: 'funds (account_id, free_nano, credited_nano, charged_nano, bounded)',
      further: [isPrepaid ? "iif(balance_nano >= 0, 't', 'f')" : "'f'"],
    };
  const more = Object.entries(FURTHER).filter(([name]) => columns.has(name) && !names.includes(name));
  const missing = names.filter((name) => !columns.has(name));
  if (missing.length > 0) throw new Error(`${table.name} has no ${missing.join(', ')} in PostgreSQL`);
  return {
    inSqlite,
    inPostgres: table.name.startsWith('rollups_') ? summed(table, order) : inPostgres,
    into: `${table.name} (${[...names, ...more.map(([name]) => name)].join(', ')})`,
    further: more.map(([, expression]) => expression),
  };
}

/** The day in whose windows a call counts is that of its admission. */
const FURTHER: Readonly<Record<string, string>> = {
  root_id: ROOT,
  day: 'admitted_at / 86400000',
  slot: NO_SLOT,
  budgets: '0',
};

function summed({ name, columns }: CopiedTable, order: string): string {
  const dimensions = new Set(ROLLUP_DIMENSIONS);
  const selected = columns.map((column) => (dimensions.has(column.name) ? column.name : `sum(${column.name})`));
  return `select ${selected.join(', ')} from ${name} group by ${ROLLUP_DIMENSIONS.join(', ')}${order}`;
}
