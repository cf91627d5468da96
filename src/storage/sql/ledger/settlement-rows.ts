/** Converts settlements to rows and back, by the declaration of their columns. Holds are rows of the same shape. */
import { accountId, callIdBytes, callIdFromBytes, keyId, priceVersionId, projectId } from '../../../core/ids.ts';
import { nanoUsd } from '../../../core/money.ts';
import { LIST_RATE, rate } from '../../../core/rates/rate.ts';
import type { Settlement } from '../../../core/settlement.ts';
import { endingCodes, endingOf, usageSourceCodes, usageSourceOf } from '../codes.ts';
import { assignments, compile } from './compile-columns.ts';
import {
  type ColumnKind,
  type NamedSettlementRow,
  SETTLEMENT_COLUMNS,
  type SettlementColumn,
  type SettlementColumnName,
} from './settlement-columns.ts';

/** The table of names: a new name gets its number in the current transaction. */
export interface NameNumbers {
  idOf(name: string): number;
}

/** Writes a settlement's values into `values`, in the order of the columns, starting at `at`. */
export type WriteSettlement = (row: Settlement, names: NameNumbers, values: unknown[], at: number) => void;

export const writeSettlement = compile<WriteSettlement>(
  ['row', 'names', 'values', 'at'],
  `const { usage } = row;
  ${assignments(SETTLEMENT_COLUMNS.map(({ field, kind }) => encoded(kind, field.startsWith('usage.') ? field : `row.${field}`)))}`,
  { callIdBytes, usageSourceCodes, endingCodes, LIST_RATE },
);

/** The index of a column among the values. */
export function placeOf(name: SettlementColumnName): number {
  return SETTLEMENT_COLUMNS.findIndex(({ column }) => column === name);
}

/** Selects `NamedSettlementRow`s; `schema` is the ledger's schema name on the connection, null for the one that is searched. Append WHERE or ORDER BY. */
export function selectSettlements(schema: string | null, table: 'settlements' | 'holds' = 'settlements'): string {
  const prefix = schema === null ? '' : `${schema}.`;
  const joins = SETTLEMENT_COLUMNS.filter(({ kind }) => kind === 'name').map(
    ({ column }) => `JOIN ${prefix}names AS ${column} ON ${column}.id = settled.${column}`,
  );
  return `SELECT ${SETTLEMENT_COLUMNS.map(selected).join(', ')} FROM ${prefix}${table} AS settled ${joins.join(' ')}`;
}

export const readSettlement = compileReader<NamedSettlementRow, Settlement>(
  SETTLEMENT_COLUMNS,
  ({ column }) => `row.${column}`,
  {
    callId: (value) => `callIdFromBytes(${value})`,
    accountId: (value) => `accountId(${value})`,
    projectId: (value) => `projectId(${value})`,
    keyId: (value) => `keyId(${value})`,
    name: itself,
    count: itself,
    usageSource: (value) => `usageSourceOf(${value})`,
    ending: (value) => `endingOf(${value})`,
    priceVersion: (value) => `priceVersionId(${value})`,
    rate: (value) => `rate(${value} + LIST_RATE)`,
    flag: (value) => `${value} === 1`,
    money: (value) => `nanoUsd(BigInt(${value}))`,
  },
);

/**
 * Compiles a reader of settlement fields from rows of big integers, selected in the order of `columns` after `offset` others: for
 * verifying millions of them. The reader throws for an unknown code.
 */
export function compileFiguresReader<Figures>(
  columns: readonly SettlementColumn[],
  offset: number,
): (row: readonly unknown[]) => Figures {
  const number = (value: string) => `Number(${value})`;
  return compileReader(columns, (_column, index) => `row[${offset + index}]`, {
    callId: itself,
    accountId: number,
    projectId: number,
    keyId: number,
    name: number,
    count: number,
    usageSource: (value) => `usageSourceOf(Number(${value}))`,
    ending: (value) => `endingOf(Number(${value}))`,
    priceVersion: number,
    rate: (value) => `rate(Number(${value}) + LIST_RATE)`,
    flag: (value) => `Number(${value}) === 1`,
    money: itself,
  });
}

function encoded(kind: ColumnKind, value: string): string {
  if (kind === 'callId') return `callIdBytes(${value})`;
  if (kind === 'name') return `names.idOf(${value})`;
  if (kind === 'usageSource') return `usageSourceCodes[${value}]`;
  if (kind === 'rate') return `${value} - LIST_RATE`;
  if (kind === 'flag') return `${value} ? 1 : 0`;
  return kind === 'ending' ? `endingCodes[${value}]` : value;
}

function selected({ column, kind }: SettlementColumn): string {
  if (kind === 'money') return `CAST(settled.${column} AS TEXT) AS ${column}`;
  return kind === 'name' ? `${column}.name AS ${column}` : `settled.${column}`;
}

/** `expressionOf` returns the expression for a column's value in a row, `decoders` those that convert it. */
function compileReader<Row, Found>(
  columns: readonly SettlementColumn[],
  expressionOf: (column: SettlementColumn, index: number) => string,
  decoders: Readonly<Record<ColumnKind, (value: string) => string>>,
): (row: Row) => Found {
  const fields: string[] = [];
  const usage: string[] = [];
  for (const [index, column] of columns.entries()) {
    const value = expressionOf(column, index);
    const decoded = decoders[column.kind](value);
    const whole = column.nullable && decoded !== value ? `${value} === null ? null : ${decoded}` : decoded;
    const [field = '', part] = column.field.split('.');
    if (part === undefined) fields.push(`${field}: ${whole}`);
    else usage.push(`${part}: ${whole}`);
  }
  if (usage.length > 0) fields.push(`usage: { ${usage.join(', ')} }`);
  return compile(['row'], `return { ${fields.join(', ')} };`, {
    callIdFromBytes,
    accountId,
    projectId,
    keyId,
    usageSourceOf,
    endingOf,
    priceVersionId,
    nanoUsd,
    rate,
    LIST_RATE,
  });
}

function itself(value: string): string {
  return value;
}
