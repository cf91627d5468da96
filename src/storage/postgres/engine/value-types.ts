/** How values of PostgreSQL are read, per query: the client's defaults are shared by the whole process and read a `bigint` as text. */
import type { CustomTypesConfig } from 'pg';

/** Object ids of types: https://github.com/postgres/postgres/blob/master/src/include/catalog/pg_type.dat */
const BYTEA = 17;
const INT8 = 20;
const INT2 = 21;
const INT4 = 23;
const FLOAT4 = 700;
const FLOAT8 = 701;
const BOOL = 16;
const NUMERIC = 1700;

const BOTH_KINDS: Readonly<Record<number, (text: string) => unknown>> = {
  [BOOL]: (text) => text === 't',
  [INT2]: Number,
  [INT4]: Number,
  [FLOAT4]: Number,
  [FLOAT8]: Number,
  [BYTEA]: readBytes,
};

/**
 * As `node:sqlite` reads them, for SQL that is shared by every database: integers are numbers, bytes are a `Uint8Array`. Throws
 * for an integer that a double may not represent; such amounts are read as text (`cast(… as text)`).
 */
export const sharedTypes = typesOf({ ...BOTH_KINDS, [INT8]: readSafe, [NUMERIC]: readNumeric });

/** For SQL that is written for PostgreSQL: a `bigint` or a whole `numeric` is a `bigint`, an `integer` is a number. */
export const exactTypes = typesOf({ ...BOTH_KINDS, [INT8]: BigInt, [NUMERIC]: readExactNumeric });

/** For reports, which are shared, too: every integer is a `bigint`. */
export const bigTypes = typesOf({
  ...BOTH_KINDS,
  [INT2]: BigInt,
  [INT4]: BigInt,
  [INT8]: BigInt,
  [NUMERIC]: readExactNumeric,
});

function typesOf(parsers: Readonly<Record<number, (text: string) => unknown>>): CustomTypesConfig {
  const readText = (text: string) => text;
  const readBinary = (bytes: Uint8Array) => bytes;
  return {
    getTypeParser: ((oid: number, format?: string) =>
      format === 'binary' ? readBinary : (parsers[oid] ?? readText)) as CustomTypesConfig['getTypeParser'],
  };
}

function readSafe(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is not exact as a number; read it as text`);
  return value;
}

/** Sums of integers are `numeric`. */
function readNumeric(text: string): number {
  return text.includes('.') ? Number(text) : readSafe(text);
}

function readExactNumeric(text: string): bigint | number {
  return text.includes('.') ? Number(text) : BigInt(text);
}

/** `\x` and two digits for each byte. */
function readBytes(text: string): Uint8Array {
  return Uint8Array.fromHex(text.slice(2));
}
