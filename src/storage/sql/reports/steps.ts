/**
 * What a report reads from the ledger, written once: a generator that yields statements and receives their rows. Each engine runs it
 * in its own way: SQLite in one go on a thread, a database across a network with a round trip per step.
 */

export type SqlValue = number | bigint | string | Uint8Array | null;

/** One statement for several independent sets of values, which may be sent in one round trip. */
export interface Ask {
  readonly source: Source;
  /** `?` is a placeholder for a value, in order. */
  readonly sql: string;
  readonly sets: readonly (readonly SqlValue[])[];
}

/** Steps of an export, which yield batches, too. */
export type BatchSteps<Batch> = Generator<Ask | { readonly batch: Batch }, void, FoundRows>;

/** The ledger, or the archive of the sealed month that the report is about. */
export type Source = 'ledger' | 'archive';

/** A row by column name; integers are bigints, bytes are byte arrays. */
export type FoundRow = Readonly<Record<string, bigint | string | Uint8Array | null>>;

/** The rows of each set of values. */
export type FoundRows = readonly (readonly FoundRow[])[];

export type Steps<Result> = Generator<Ask, Result, FoundRows>;

/** What the engine provides. */
export interface ReportParts {
  /** A condition that ends the statement at the deadline, if an engine needs one; evaluated for each row, on one of its columns. */
  readonly inTime: (column: string) => string;
  /** The clause after a table's name that makes the engine use an index. */
  readonly byIndex: (index: string) => string;
  /** Monotonic, ms. */
  readonly now: () => number;
  /** For searches that return what they found so far: the function returned says whether `ms`, or the report's own time, have passed. */
  readonly box: (ms: number) => () => boolean;
  /** How many lookups are worth one step, even if only the first of them are needed: 1 if a step costs nothing, more across a network. */
  readonly lookAhead: number;
}

export function* rowsOf<Row = FoundRow>(
  sql: string,
  values: readonly SqlValue[] = [],
  source: Source = 'ledger',
): Steps<readonly Row[]> {
  const [rows] = yield { source, sql, sets: [values] };
  return rows as unknown as readonly Row[];
}

/** The first row, or null. */
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

/** The index of the first set of values that has rows, or -1. */
export function* firstWithRows(
  { lookAhead }: Pick<ReportParts, 'lookAhead'>,
  sql: string,
  sets: readonly (readonly SqlValue[])[],
): Steps<number> {
  for (let from = 0; from < sets.length; from += lookAhead) {
    const found = yield* rowsOfEach(sql, sets.slice(from, from + lookAhead));
    const at = found.findIndex((rows) => rows.length > 0);
    if (at >= 0) return from + at;
  }
  return -1;
}
