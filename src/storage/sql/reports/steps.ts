/**
 * What a report reads of the ledger, written once: a generator that yields statements and is given their rows. An engine runs it in
 * its own way: SQLite in one go on a thread, a database across a network with a round trip for each step.
 */

export type SqlValue = number | bigint | string | Uint8Array | null;

/** One statement, for each of several sets of values: those are independent and may go in one round trip. */
export interface Ask {
  readonly source: Source;
  /** `?` stands for a value, in order. */
  readonly sql: string;
  readonly sets: readonly (readonly SqlValue[])[];
}

/** The ledger, or the archive of the sealed month that the report is about. */
export type Source = 'ledger' | 'archive';

/** A row by column name; integers are bigints, bytes are byte arrays. */
export type FoundRow = Readonly<Record<string, bigint | string | Uint8Array | null>>;

/** Of each set of values its rows. */
export type FoundRows = readonly (readonly FoundRow[])[];

export type Steps<Result> = Generator<Ask, Result, FoundRows>;

/** What the engine knows besides. */
export interface ReportParts {
  /** A condition that ends the statement at the deadline, where an engine needs one: it is asked for each row, with a column of it. */
  readonly inTime: (column: string) => string;
  /** What follows a table's name where its rows are to be found by that index. */
  readonly byIndex: (index: string) => string;
  /** Monotonic, ms. */
  readonly now: () => number;
  /** For what ends with what it has found so far: whether so many ms, or the report's own time, have passed since. */
  readonly box: (ms: number) => () => boolean;
}

export function* rowsOf<Row = FoundRow>(
  sql: string,
  values: readonly SqlValue[] = [],
  source: Source = 'ledger',
): Steps<readonly Row[]> {
  const [rows] = yield { source, sql, sets: [values] };
  return rows as unknown as readonly Row[];
}

/** The first row, or null where there is none. */
export function* rowOf<Row = FoundRow>(
  sql: string,
  values: readonly SqlValue[] = [],
  source: Source = 'ledger',
): Steps<Row | null> {
  const [row] = yield* rowsOf<Row>(sql, values, source);
  return row ?? null;
}

export function* rowsOfEach<Row = FoundRow>(
  sql: string,
  sets: readonly (readonly SqlValue[])[],
): Steps<readonly (readonly Row[])[]> {
  if (sets.length === 0) return [];
  return (yield { source: 'ledger', sql, sets }) as unknown as readonly (readonly Row[])[];
}
