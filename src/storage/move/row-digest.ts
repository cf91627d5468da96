/** A digest of rows in order, the same for the same rows of either engine. */
import { createHash } from 'node:crypto';

export class RowDigest {
  rows = 0;
  readonly #hash = createHash('sha256');

  /** A line of `COPY`, with its end. */
  add(line: string | Buffer): void {
    this.rows += 1;
    this.#hash.update(line);
  }

  /** Call it once, at the end. */
  text(): string {
    return this.#hash.digest('hex');
  }
}

/** Throws if the rows differ. */
export function checkSame(table: string, source: RowDigest, target: RowDigest): void {
  if (source.rows !== target.rows)
    throw new Error(
      `${table} has ${source.rows} rows in the source, and ${target.rows} were read back from the target`,
    );
  if (source.text() !== target.text())
    throw new Error(`the rows of ${table} that were read back from the target differ from those of the source`);
}
