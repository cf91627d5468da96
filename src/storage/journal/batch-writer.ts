import { assert } from '../../core/assert.ts';
import type { BatchColumn } from './batch-format.ts';

const FIRST_BYTES = 64 * 1024;
/** A larger scratch is not kept: it was for a batch with large answers. */
const KEPT_BYTES_MAX = 1024 * 1024;

/** Writes the tables of a batch into scratch memory; see `batch-format.ts`. */
export class BatchWriter {
  bytes = Buffer.allocUnsafeSlow(FIRST_BYTES);
  view = new DataView(this.bytes.buffer);
  /** Where the next byte goes. */
  at = 0;

  begin(format: number): void {
    this.at = 0;
    this.#uint32(format);
  }

  /** Writes a table's head, except for the sizes of its columns, and makes space for `bodyBytes`. Returns where the sizes go. */
  beginTable(rows: number, columns: number, bodyBytes: number): number {
    this.#makeSpace(8 + 4 * columns + bodyBytes);
    this.#uint32(rows);
    this.#uint32(columns);
    const sizesAt = this.at;
    this.at += 4 * columns;
    return sizesAt;
  }

  /** Each row has its values in the order of the columns: numbers, bytes, text or null. */
  table(columns: readonly BatchColumn[], rows: readonly (readonly unknown[])[]): void {
    const sizesAt = this.beginTable(rows.length, rows.length === 0 ? 0 : columns.length, 0);
    if (rows.length === 0) return;
    for (const [index, { type }] of columns.entries()) {
      const start = this.at;
      for (const row of rows) this.#element(type, row[index]);
      this.view.setUint32(sizesAt + 4 * index, this.at - start);
    }
  }

  /** A copy of what was written. */
  end(): Buffer {
    const written = Buffer.from(this.bytes.subarray(0, this.at));
    if (this.bytes.length > KEPT_BYTES_MAX) this.#use(Buffer.allocUnsafeSlow(FIRST_BYTES));
    return written;
  }

  #element(type: BatchColumn['type'], value: unknown): void {
    if (value === null) return this.#length(-1);
    if (type === 'int8') {
      assert(Number.isSafeInteger(value), 'a 64-bit column of a batch has a whole number');
      this.#length(8);
      this.bytes.writeBigInt64BE(BigInt(value as number), this.at);
      this.at += 8;
    } else if (type === 'int4') {
      this.#length(4);
      this.bytes.writeInt32BE(value as number, this.at);
      this.at += 4;
    } else {
      const content = type === 'text' ? Buffer.from(value as string) : (value as Uint8Array);
      this.#makeSpace(4 + content.length);
      this.#length(content.length);
      this.bytes.set(content, this.at);
      this.at += content.length;
    }
  }

  #length(bytes: number): void {
    this.#makeSpace(12);
    this.view.setInt32(this.at, bytes);
    this.at += 4;
  }

  #uint32(value: number): void {
    this.view.setUint32(this.at, value);
    this.at += 4;
  }

  #makeSpace(bytes: number): void {
    const needed = this.at + bytes;
    if (needed <= this.bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.bytes.length));
    larger.set(this.bytes.subarray(0, this.at));
    this.#use(larger);
  }

  #use(bytes: Buffer<ArrayBuffer>): void {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer);
  }
}
