/** Finds the columns in the bytes of a batch; see `batch-format.ts`. Every size is checked against the bytes that there are. */
import { BATCH_COLUMNS, BATCH_FORMAT, BATCH_TABLES, type BatchTable, elementBytes } from './batch-format.ts';

export interface TableLayout {
  readonly rows: number;
  /** The elements of each column that this version knows, in their order; empty where all values are the default. */
  readonly columns: readonly Buffer[];
}

export type BatchLayout = Readonly<Record<BatchTable, TableLayout>>;

/** In every table there is a column that has a value in each row, with its length. */
const ROW_BYTES_MIN = 4;
const EMPTY = Buffer.alloc(0);

/** The columns share the memory of `batch`. Throws `BadBatch`. */
export function layOut(batch: Uint8Array): BatchLayout {
  const bytes = Buffer.from(batch.buffer, batch.byteOffset, batch.byteLength);
  const format = bytes.length < 4 ? 0 : bytes.readUInt32BE(0);
  if (format > BATCH_FORMAT)
    throw new BadBatch(`has format ${format}, which a newer version of Turnpike wrote; this one reads ${BATCH_FORMAT}`);
  if (format !== BATCH_FORMAT) throw new BadBatch('does not begin with the number of a format');
  const reader = new LayoutReader(bytes, 4);
  const layout = Object.fromEntries(BATCH_TABLES.map((table) => [table, reader.table(table)])) as BatchLayout;
  if (reader.at !== bytes.length) throw new BadBatch(`has ${bytes.length - reader.at} bytes too many`);
  return layout;
}

/** The bytes are no batch of settlements, or only the beginning of one. */
export class BadBatch extends Error {
  constructor(problem: string) {
    super(`A batch of settlements ${problem}.`);
  }
}

class LayoutReader {
  readonly #bytes: Buffer;
  at: number;

  constructor(bytes: Buffer, at: number) {
    this.#bytes = bytes;
    this.at = at;
  }

  table(table: BatchTable): TableLayout {
    const known = BATCH_COLUMNS[table];
    const rows = this.#uint32();
    const count = this.#uint32();
    if (count > known.length)
      throw new BadBatch(`has ${count} columns of ${table}, of which a newer version of Turnpike wrote some`);
    const sizes = Array.from({ length: count }, () => this.#uint32());
    const columns = sizes.map((size) => this.#take(size));
    if (rows > 0 && !columns.some(({ length }) => length >= rows * ROW_BYTES_MIN))
      throw new BadBatch(`has ${rows} rows of ${table}, and no values of them`);
    return {
      rows,
      columns: known.map((column, index) => {
        const body = columns[index] ?? EMPTY;
        const elements = body.length === 0 ? rows : countElements(body, elementBytes(column));
        if (elements !== rows) throw new BadBatch(`does not have ${rows} values in ${table}.${column.name}`);
        return body;
      }),
    };
  }

  #uint32(): number {
    if (this.at + 4 > this.#bytes.length) throw new BadBatch(`ends after ${this.#bytes.length} bytes, too early`);
    const value = this.#bytes.readUInt32BE(this.at);
    this.at += 4;
    return value;
  }

  #take(size: number): Buffer {
    if (this.at + size > this.#bytes.length) throw new BadBatch(`ends after ${this.#bytes.length} bytes, too early`);
    const body = this.#bytes.subarray(this.at, this.at + size);
    this.at += size;
    return body;
  }
}

/** The number of elements, of `size` bytes each if it is not null; NaN if the bytes end within one. */
function countElements(body: Buffer, size: number | null): number {
  if (size !== null) return body.length / size;
  let elements = 0;
  for (let at = 0; at < body.length; elements += 1) {
    if (at + 4 > body.length) return Number.NaN;
    at += 4 + Math.max(0, body.readInt32BE(at));
    if (at > body.length) return Number.NaN;
  }
  return elements;
}
