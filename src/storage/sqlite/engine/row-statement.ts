import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';

/** Puts the values of a row into `values`, from `at` on, in the order of the columns. */
export type WriteValues<Row> = (row: Row, values: SQLInputValue[], at: number) => void;

export interface RowStatementParts<Row> {
  /** The statement for some rows; `places` is `(?, ?), (?, ?)`, once for each row. */
  readonly sql: (places: string) => string;
  /** Values a row. */
  readonly width: number;
  readonly writeValues: WriteValues<Row>;
}

/**
 * A statement about rows, several at a time: up to half of what a row costs by itself is the call of its
 * statement. Belongs into a transaction of the caller's.
 */
export class RowStatement<Row> {
  readonly #steps: readonly Step[];
  readonly #width: number;
  readonly #writeValues: WriteValues<Row>;

  constructor(database: DatabaseSync, { sql, width, writeValues }: RowStatementParts<Row>) {
    this.#width = width;
    this.#writeValues = writeValues;
    const places = `(${Array(width).fill('?').join(', ')})`;
    this.#steps = STEP_ROWS.map((rows) => ({
      rows,
      statement: database.prepare(sql(Array(rows).fill(places).join(', '))),
      values: Array<SQLInputValue>(rows * width).fill(null),
    }));
  }

  run(rows: readonly Row[]): void {
    let next = 0;
    for (const step of this.#steps) {
      for (; rows.length - next >= step.rows; next += step.rows) this.#runStep(step, rows, next);
    }
  }

  #runStep({ rows: count, statement, values }: Step, rows: readonly Row[], from: number): void {
    for (let index = 0; index < count; index += 1)
      this.#writeValues(rows[from + index] as Row, values, index * this.#width);
    statement.run(...values);
  }
}

/** `INSERT` for a `RowStatement`; `onConflict` is what follows the rows. */
export function insertInto(table: string, columns: readonly string[], onConflict = ''): (places: string) => string {
  return (places) => `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${places} ${onConflict}`;
}

/** Largest first: any number of rows takes few calls of a statement. */
const STEP_ROWS = [32, 16, 8, 4, 2, 1];

interface Step {
  readonly rows: number;
  readonly statement: StatementSync;
  /** Filled anew for each run. */
  readonly values: SQLInputValue[];
}
