import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { type CallId, callIdBytes, writeCallId } from '../../core/ids.ts';

/** Puts the values of a row into `values`, from `at` on, in the order of the columns. */
export type WriteValues<Row> = (row: Row, values: SQLInputValue[], at: number) => void;

export interface InsertedTable<Row> {
  readonly name: string;
  readonly columns: readonly string[];
  readonly writeValues: WriteValues<Row>;
}

/**
 * Inserts rows several at a time: up to half of what a row costs by itself is the call of its statement.
 * A row that breaks a unique index is left out. Belongs into a transaction of the caller's.
 */
export class RowInserter<Row> {
  readonly #steps: readonly Step[];
  readonly #columnCount: number;
  readonly #writeValues: WriteValues<Row>;

  constructor(database: DatabaseSync, { name, columns, writeValues }: InsertedTable<Row>) {
    this.#columnCount = columns.length;
    this.#writeValues = writeValues;
    const places = `(${columns.map(() => '?').join(', ')})`;
    this.#steps = STEP_ROWS.map((rows) => ({
      rows,
      statement: database.prepare(
        `INSERT INTO ${name} (${columns.join(', ')}) VALUES ${Array(rows).fill(places).join(', ')} ON CONFLICT DO NOTHING`,
      ),
      values: Array<SQLInputValue>(rows * columns.length).fill(null),
    }));
  }

  insert(rows: readonly Row[]): void {
    let next = 0;
    for (const step of this.#steps) {
      for (; rows.length - next >= step.rows; next += step.rows) this.#insertStep(step, rows, next);
    }
  }

  #insertStep({ rows: count, statement, values }: Step, rows: readonly Row[], from: number): void {
    for (let index = 0; index < count; index += 1)
      this.#writeValues(rows[from + index] as Row, values, index * this.#columnCount);
    statement.run(...values);
  }
}

/** A call id as bytes, in those of the row that stood in this place before: SQLite copies what it is given. */
export function callIdInPlace(id: CallId, before: SQLInputValue | undefined): Uint8Array {
  if (!(before instanceof Uint8Array)) return callIdBytes(id);
  writeCallId(id, before);
  return before;
}

/** Largest first; the last takes what is left over. */
const STEP_ROWS = [32, 8, 1];

interface Step {
  readonly rows: number;
  readonly statement: StatementSync;
  /** Filled anew for each run. */
  readonly values: SQLInputValue[];
}
