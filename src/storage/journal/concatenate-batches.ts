/** Makes the parameters of a statement from any number of batches: their columns one after the other, as PostgreSQL's binary arrays. */
import { type BatchColumn, type BatchTable, type ElementType, elementBytes, sentColumns } from './batch-format.ts';
import { BadBatch, type BatchLayout, layOut, type TableLayout } from './batch-layout.ts';

/**
 * Per table an array for each of `sentColumns`, in their order, for `unnest($1::int4[], …)`; the names are an array whose places
 * count from 1. All arrays of a table have the same length, except that an array is empty if all of its values are the
 * default: `unnest` then returns null, which a column that may not be null takes as 0.
 */
export interface BatchParameters extends Readonly<Record<BatchTable, readonly Buffer[]>> {
  readonly calls: number;
}

/** Throws `BadBatch`. */
export function concatenateBatches(batches: readonly Uint8Array[]): BatchParameters {
  const layouts = batches.map(layOut);
  const names = new JoinedNames();
  const places = layouts.map((layout) => names.placesOf(layout.names));
  const joined = (table: BatchTable) => joinTable(table, layouts, places);
  return {
    calls: layouts.reduce((sum, { settlements }) => sum + settlements.rows, 0),
    settlements: joined('settlements'),
    replays: joined('replays'),
    storedIds: joined('storedIds'),
    names: [names.array()],
  };
}

const SENT_COLUMNS: Readonly<Record<BatchTable, readonly BatchColumn[]>> = {
  settlements: sentColumns('settlements'),
  replays: sentColumns('replays'),
  storedIds: sentColumns('storedIds'),
  names: sentColumns('names'),
};

/** The places of one batch's names among the joined ones, by their places in the batch less one; null if they are the same. */
type Places = readonly number[] | null;

function joinTable(table: BatchTable, layouts: readonly BatchLayout[], places: readonly Places[]): Buffer[] {
  const parts = layouts.map((layout) => layout[table]);
  const rows = parts.reduce((sum, part) => sum + part.rows, 0);
  return SENT_COLUMNS[table].map((column, index) => {
    let used = 0;
    let unused = 0;
    for (const part of parts) {
      const size = sizeOf(part, index);
      used += size;
      if (size === 0) unused += part.rows;
    }
    if (used === 0) return emptyArray(column.type);
    const filler = unused === 0 ? NULL : defaultElement(column);
    const array = Buffer.allocUnsafe(HEAD_BYTES + used + unused * filler.length);
    let at = writeHead(array, column.type, rows);
    for (const [batch, part] of parts.entries()) {
      const start = at;
      at += copyColumn(part, index, array, at, filler);
      if (column.holds === 'name') movePlaces(array, start, at, places[batch] as Places);
    }
    return array;
  });
}

function sizeOf({ bounds }: TableLayout, index: number): number {
  return (bounds[2 * index + 1] as number) - (bounds[2 * index] as number);
}

/** A column whose values are all the default has no elements; next to other batches they are needed. Returns the number of bytes. */
function copyColumn(part: TableLayout, index: number, array: Buffer, at: number, filler: Buffer): number {
  const { bytes, rows, bounds } = part;
  const size = sizeOf(part, index);
  if (size > 0) return bytes.copy(array, at, bounds[2 * index], bounds[2 * index + 1]);
  if (rows > 0) array.fill(filler, at, at + rows * filler.length);
  return rows * filler.length;
}

function defaultElement(column: BatchColumn): Buffer {
  if (column.nullable) return NULL;
  const size = elementBytes(column);
  if (size === null) throw new BadBatch(`has no values in ${column.name}`);
  const zero = Buffer.alloc(size);
  zero.writeInt32BE(size - 4);
  return zero;
}

/** Changes places in a batch's names into places among the joined ones. */
function movePlaces(array: Buffer, from: number, to: number, places: Places): void {
  if (places === null) return;
  for (let at = from; at < to; ) {
    const length = array.readInt32BE(at);
    at += 4;
    if (length === -1) continue;
    const place = length === 4 && at + 4 <= to ? places[array.readInt32BE(at) - 1] : undefined;
    if (place === undefined) throw new BadBatch('names a place that is not among its names');
    array.writeInt32BE(place, at);
    at += 4;
  }
}

class JoinedNames {
  readonly #names: Buffer[] = [];
  readonly #places = new Map<string, number>();
  /** The bytes of the last batch's names: consecutive batches often have the same ones. */
  #last: { readonly body: Buffer; readonly places: Places } | null = null;

  placesOf({ bytes, rows, bounds: [start, end] }: TableLayout): Places {
    const body = bytes.subarray(start, end);
    if (this.#last?.body.equals(body)) return this.#last.places;
    const places: number[] = [];
    for (let at = 0; places.length < rows; ) {
      const length = at + 4 <= body.length ? body.readInt32BE(at) : -1;
      if (length < 0 || at + 4 + length > body.length) throw new BadBatch('has a name of the wrong size');
      places.push(this.#placeOf(body.subarray(at, at + 4 + length)));
      at += 4 + length;
    }
    this.#last = { body, places: places.every((place, index) => place === index + 1) ? null : places };
    return this.#last.places;
  }

  array(): Buffer {
    if (this.#names.length === 0) return emptyArray('text');
    const head = Buffer.allocUnsafe(HEAD_BYTES);
    writeHead(head, 'text', this.#names.length);
    return Buffer.concat([head, ...this.#names]);
  }

  #placeOf(element: Buffer): number {
    const key = element.toString('latin1');
    const known = this.#places.get(key);
    if (known !== undefined) return known;
    const place = this.#names.push(element);
    this.#places.set(key, place);
    return place;
  }
}

/** Number of dimensions, whether there may be nulls, the element's type, the length, and the place of the first element. */
const HEAD_BYTES = 20;
/** The length of a null. */
const NULL = Buffer.from([0xff, 0xff, 0xff, 0xff]);
/** https://github.com/postgres/postgres/blob/master/src/include/catalog/pg_type.dat */
const TYPE_NUMBERS: Readonly<Record<ElementType, number>> = { bytea: 17, int4: 23, int8: 20, text: 25 };

function writeHead(array: Buffer, type: ElementType, length: number): number {
  array.writeInt32BE(1, 0);
  array.writeInt32BE(1, 4);
  array.writeInt32BE(TYPE_NUMBERS[type], 8);
  array.writeInt32BE(length, 12);
  array.writeInt32BE(1, 16);
  return HEAD_BYTES;
}

function emptyArray(type: ElementType): Buffer {
  const array = Buffer.alloc(12);
  array.writeInt32BE(TYPE_NUMBERS[type], 8);
  return array;
}
