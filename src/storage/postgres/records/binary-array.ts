/**
 * An array as PostgreSQL reads it in binary form: rows are sent column by column and become rows again with `unnest`, so a batch of any
 * size is one statement with a parameter per column. Format: `array_recv` in
 * https://github.com/postgres/postgres/blob/master/src/backend/utils/adt/arrayfuncs.c
 */
export type ArrayType = 'bytea' | 'smallint' | 'integer' | 'bigint' | 'text';

/** https://github.com/postgres/postgres/blob/master/src/include/catalog/pg_type.dat */
const TYPES: Readonly<Record<ArrayType, { readonly oid: number; readonly bytes: number }>> = {
  bytea: { oid: 17, bytes: 16 },
  bigint: { oid: 20, bytes: 8 },
  smallint: { oid: 21, bytes: 2 },
  integer: { oid: 23, bytes: 4 },
  text: { oid: 25, bytes: 32 },
};
const HEADER_BYTES = 20;
const LENGTH_BYTES = 4;
const NULL_LENGTH = -1;

export type ArrayValue = number | bigint | string | Uint8Array | null;

/** Throws for a number that is not a whole number within its type. */
export function binaryArray(type: ArrayType, values: readonly ArrayValue[]): Buffer {
  const { oid, bytes } = TYPES[type];
  let buffer: Buffer = Buffer.allocUnsafe(HEADER_BYTES + values.length * (LENGTH_BYTES + bytes));
  let at = HEADER_BYTES;
  let hasNull = 0;
  for (const value of values) {
    const size = sizeOf(value, bytes);
    if (at + LENGTH_BYTES + size > buffer.length) buffer = grown(buffer, at, size);
    at = buffer.writeInt32BE(value === null ? NULL_LENGTH : size, at);
    if (value === null) hasNull = 1;
    else at = write(type, value, buffer, at);
  }
  const isEmpty = values.length === 0;
  buffer.writeInt32BE(isEmpty ? 0 : 1, 0);
  buffer.writeInt32BE(hasNull, 4);
  buffer.writeInt32BE(oid, 8);
  if (isEmpty) return buffer.subarray(0, 12);
  buffer.writeInt32BE(values.length, 12);
  buffer.writeInt32BE(1, 16);
  return buffer.subarray(0, at);
}

function sizeOf(value: ArrayValue, bytes: number): number {
  if (value === null) return 0;
  if (typeof value === 'string') return Buffer.byteLength(value);
  return value instanceof Uint8Array ? value.length : bytes;
}

/** With room for a value of this size, and a quarter more than there was. */
function grown(buffer: Buffer, at: number, size: number): Buffer {
  const larger = Buffer.allocUnsafe(Math.ceil(buffer.length * 1.25) + LENGTH_BYTES + size);
  buffer.copy(larger, 0, 0, at);
  return larger;
}

function write(type: ArrayType, value: Exclude<ArrayValue, null>, buffer: Buffer, at: number): number {
  if (typeof value === 'string') return at + buffer.write(value, at);
  if (value instanceof Uint8Array) {
    buffer.set(value, at);
    return at + value.length;
  }
  if (type === 'bigint') return buffer.writeBigInt64BE(BigInt(value), at);
  if (!Number.isInteger(value)) throw new RangeError(`${value} is not a whole number`);
  return type === 'smallint' ? buffer.writeInt16BE(Number(value), at) : buffer.writeInt32BE(Number(value), at);
}
