import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';

/** Writes the values of a row into `values`, starting at `at`, in the order of the columns. */
export type WriteValues<Row> = (row: Row, values: SQLInputValue[], at: number) => void;

export interface RowStatementParts<Row> {
  /** Returns the statement for some rows; `placeholders` is `(?, ?), (?, ?)`, one group per row. */
  readonly sql: (placeholders: string) => string;
  /** Values per row. */
  readonly width: number;
  readonly writeValues: WriteValues<Row>;
}

/**
 * Executes a statement for several rows at a time: the call of a statement is up to half of the cost of a single
 * row. Run it within a transaction.
 */
export class RowStatement<Row> {
  readonly #steps: readonly Step[];
  readonly #width: number;
  readonly #writeValues: WriteValues<Row>;

  constructor(database: DatabaseSync, { sql, width, writeValues }: RowStatementParts<Row>) {
    this.#width = width;
    this.#writeValues = writeValues;
    const placeholders = `(${Array(width).fill('?').join(', ')})`;
    this.#steps = STEP_ROWS.map((rows) => ({
      rows,
      statement: database.prepare(sql(Array(rows).fill(placeholders).join(', '))),
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

/** `INSERT` for a `RowStatement`; `onConflict` is the clause after the rows. */
export function insertInto(
  table: string,
  columns: readonly string[],
  onConflict = '',
): (placeholders: string) => string {
  return (placeholders) => `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${placeholders} ${onConflict}`;
}

/** Largest first: any number of rows takes few calls. */
const STEP_ROWS = [32, 16, 8, 4, 2, 1];

interface Step {
  readonly rows: number;
  readonly statement: StatementSync;
  /** Reused for each run. */
  readonly values: SQLInputValue[];
}
