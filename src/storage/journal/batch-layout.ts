/** Finds the columns in the bytes of a batch; see `batch-format.ts`. Every size is checked against the bytes that there are. */
import { BATCH_COLUMNS, BATCH_FORMAT, type BatchColumn, type BatchTable, elementBytes } from './batch-format.ts';

/** Where the columns of a table are. No views of them are made: a batch of one call has forty. */
export interface TableLayout {
  readonly bytes: Buffer;
  readonly rows: number;
  /** Where the elements of each column that this version knows begin and end, in turn; nothing where all values are the default. */
  readonly bounds: readonly number[];
}

export type BatchLayout = Readonly<Record<BatchTable, TableLayout>>;

/** In every table there is a column that has a value in each row, with its length. */
const ROW_BYTES_MIN = 4;

/** The layout shares the memory of `batch`. Throws `BadBatch`. */
export function layOut(batch: Uint8Array): BatchLayout {
  const bytes = Buffer.from(batch.buffer, batch.byteOffset, batch.byteLength);
  const format = bytes.length < 4 ? 0 : bytes.readUInt32BE(0);
  if (format > BATCH_FORMAT)
    throw new BadBatch(`has format ${format}, which a newer version of Turnpike wrote; this one reads ${BATCH_FORMAT}`);
  if (format !== BATCH_FORMAT) throw new BadBatch('does not begin with the number of a format');
  const reader = new LayoutReader(bytes, 4);
  const layout = {
    settlements: reader.table('settlements'),
    replays: reader.table('replays'),
    storedIds: reader.table('storedIds'),
    names: reader.table('names'),
  };
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
    const bytes = this.#bytes;
    const rows = this.#uint32();
    const count = this.#uint32();
    if (count > known.length)
      throw new BadBatch(`has ${count} columns of ${table}, of which a newer version of Turnpike wrote some`);
    const sizesAt = this.at;
    const bounds: number[] = [];
    let at = sizesAt + 4 * count;
    this.#skipTo(at);
    let hasValues = rows === 0;
    for (let index = 0; index < known.length; index += 1) {
      const end = index < count ? at + bytes.readUInt32BE(sizesAt + 4 * index) : at;
      bounds.push(at, end);
      this.#skipTo(end);
      hasValues ||= end - at >= rows * ROW_BYTES_MIN;
      if (end > at && countElements(bytes, at, end, known[index] as BatchColumn) !== rows)
        throw new BadBatch(`does not have ${rows} values in ${table}.${known[index]?.name}`);
      at = end;
    }
    if (!hasValues) throw new BadBatch(`has ${rows} rows of ${table}, and no values of them`);
    return { bytes, rows, bounds };
  }

  #uint32(): number {
    if (this.at + 4 > this.#bytes.length) throw new BadBatch(`ends after ${this.#bytes.length} bytes, too early`);
    const value = this.#bytes.readUInt32BE(this.at);
    this.at += 4;
    return value;
  }

  #skipTo(at: number): void {
    if (at > this.#bytes.length) throw new BadBatch(`ends after ${this.#bytes.length} bytes, too early`);
    this.at = at;
  }
}

/** The number of elements; NaN if the bytes end within one. */
function countElements(bytes: Buffer, from: number, end: number, column: BatchColumn): number {
  const size = elementBytes(column);
  if (size !== null) return (end - from) / size;
  let elements = 0;
  for (let at = from; at < end; elements += 1) {
    if (at + 4 > end) return Number.NaN;
    at += 4 + Math.max(0, bytes.readInt32BE(at));
    if (at > end) return Number.NaN;
  }
  return elements;
}
