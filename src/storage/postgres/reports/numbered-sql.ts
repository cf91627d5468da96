/**
 * The statements of reports, which are written for every database, as PostgreSQL takes them: `?` becomes a numbered parameter with its
 * type, and a statement for several sets of values becomes one statement, with one round trip.
 */
import type { FoundRow, FoundRows, SqlValue } from '../../sql/reports/steps.ts';
import { storable } from '../../sql/storable-text.ts';
import { type ArrayType, binaryArray } from '../records/binary-array.ts';

export interface NumberedStatement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** For one set of values. */
export function numbered(sql: string, values: readonly SqlValue[]): NumberedStatement {
  return { text: replaced(sql, values, (type, index) => `$${index + 1}::${type}`), values: values.map(comparable) };
}

/** The column of a row that has the number of its set, from 1 on. */
const SET = 'set number';

/** For several sets of values, whose types agree; `bySet` sorts its rows. */
export function numberedSets(sql: string, sets: readonly (readonly SqlValue[])[]): NumberedStatement {
  const first = sets[0] as readonly SqlValue[];
  const types = first.map(typeOf);
  const arrays = types.map((type, column) =>
    binaryArray(
      type,
      sets.map((values) => comparable(values[column] as SqlValue)),
    ),
  );
  const names = [...types.map((_, index) => `v${index}`), 'number'].join(', ');
  const answered = replaced(sql, first, (_type, index) => `asked.v${index}`);
  return {
    text: `SELECT asked.number AS "${SET}", answered.* FROM unnest(${types.map((type, index) => `$${index + 1}::${type}[]`).join(', ')})
      WITH ORDINALITY AS asked (${names}) CROSS JOIN LATERAL (${answered}) AS answered`,
    values: arrays,
  };
}

/** The rows of each of `count` sets, in their order. */
export function bySet(rows: readonly FoundRow[], count: number): FoundRows {
  const sets: FoundRow[][] = Array.from({ length: count }, () => []);
  for (const row of rows) sets[Number(row[SET]) - 1]?.push(row);
  return sets;
}

/** Texts come from callers, and are compared with those that PostgreSQL could store. */
function comparable(value: SqlValue): SqlValue {
  return typeof value === 'string' ? storable(value) : value;
}

function typeOf(value: SqlValue): ArrayType {
  if (typeof value === 'string') return 'text';
  return value instanceof Uint8Array ? 'bytea' : 'bigint';
}

/** Statements have no text in which `?` means something else. */
function replaced(
  sql: string,
  values: readonly SqlValue[],
  parameter: (type: ArrayType, index: number) => string,
): string {
  const parts = sql.split('?');
  if (parts.length !== values.length + 1)
    throw new Error(`a statement has ${parts.length - 1} parameters, and ${values.length} values`);
  return parts
    .slice(1)
    .reduce(
      (text, part, index) => text + parameter(typeOf(values[index] as SqlValue), index) + part,
      parts[0] as string,
    );
}
