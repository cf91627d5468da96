/**
 * Identifiers. Rows of the control plane have small integers; a call has 16 bytes (48 bits
 * of wall time, 80 random bits), which sort by time and are written as 26 base-32 characters.
 */
import { randomFillSync } from 'node:crypto';

export type AccountId = number & { readonly __type__: 'AccountId' };
export type ProjectId = number & { readonly __type__: 'ProjectId' };
export type KeyId = number & { readonly __type__: 'KeyId' };
export type PriceVersionId = number & { readonly __type__: 'PriceVersionId' };
export type AliasId = number & { readonly __type__: 'AliasId' };
export type EntryId = number & { readonly __type__: 'EntryId' };
/** 26 Crockford base-32 characters, lower case, for 16 bytes. */
export type CallId = string & { readonly __type__: 'CallId' };
/** `file-…`, with the characters of a call id. */
export type FileId = string & { readonly __type__: 'FileId' };
/** `batch_…`, with the characters of a call id. */
export type BatchId = string & { readonly __type__: 'BatchId' };

export const accountId = (value: number) => value as AccountId;
export const projectId = (value: number) => value as ProjectId;
export const keyId = (value: number) => value as KeyId;
export const priceVersionId = (value: number) => value as PriceVersionId;
export const aliasId = (value: number) => value as AliasId;
export const entryId = (value: number) => value as EntryId;

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const GENERATION_PREFIX = 'gen-';
const REQUEST_PREFIX = 'req_';
const FILE_PREFIX = 'file-';
const BATCH_PREFIX = 'batch_';
const CALL_ID_BYTES = 16;
const TIME_CHARACTERS = 10;
const RANDOM_CHARACTERS = 16;
const ID_CHARACTERS = TIME_CHARACTERS + RANDOM_CHARACTERS;
/** 26 digits of 5 bits have two bits more than 16 bytes; the first bits are 0. */
const SPARE_BITS = 2;
const RANDOM_BYTES = 10;

/** Two digits at a time: ten bits → two characters. */
const PAIRS = Array.from({ length: 1024 }, (_, bits) => `${ALPHABET[bits >>> 5]}${ALPHABET[bits & 31]}`);

/** Character code → value of a base-32 digit. */
const DIGITS = new Uint8Array(128);
for (let value = 0; value < ALPHABET.length; value += 1) DIGITS[ALPHABET.charCodeAt(value)] = value;

/** Random bytes are drawn in one block for many ids: one call into the system costs more than an id. */
const pool = Buffer.alloc(RANDOM_BYTES * 512);
let poolOffset = pool.length;

/** A new call id; ids of different milliseconds sort in time order. */
export function newCallId(nowMs: number): CallId {
  let text = encodeTime(nowMs);
  if (poolOffset === pool.length) {
    randomFillSync(pool);
    poolOffset = 0;
  }
  text += encodeFiveBytes(pool, poolOffset) + encodeFiveBytes(pool, poolOffset + 5);
  poolOffset += RANDOM_BYTES;
  return text as CallId;
}

/** `gen-…`, the id a caller sees for a call and asks `/api/v1/generation` for. */
export function generationId(id: CallId): string {
  return GENERATION_PREFIX + id;
}

/** `req_…`, the id of an HTTP request; the same characters as its call's. */
export function requestId(id: CallId): string {
  return REQUEST_PREFIX + id;
}

/** Reads `gen-…`, `req_…` or the bare id; null for any other text. */
export function parseCallId(text: string): CallId | null {
  const bare = text.startsWith(GENERATION_PREFIX) || text.startsWith(REQUEST_PREFIX) ? text.slice(4) : text;
  return /^[0-7][0-9a-hjkmnp-tv-z]{25}$/.test(bare) ? (bare as CallId) : null;
}

/** The id of a new file; ids of different milliseconds sort in time order. */
export function newFileId(nowMs: number): FileId {
  return (FILE_PREFIX + newCallId(nowMs)) as FileId;
}

/** Reads `file-…`; null for any other text. */
export function parseFileId(text: string): FileId | null {
  const bare = text.startsWith(FILE_PREFIX) ? text.slice(FILE_PREFIX.length) : '';
  return parseCallId(bare) === bare && bare !== '' ? (text as FileId) : null;
}

/** The 16 bytes of a file's id, as the database stores it. */
export function fileIdBytes(id: FileId): Buffer {
  return callIdBytes(id.slice(FILE_PREFIX.length) as CallId);
}

/** The inverse of `fileIdBytes`. */
export function fileIdFromBytes(bytes: Uint8Array): FileId {
  return (FILE_PREFIX + callIdFromBytes(bytes)) as FileId;
}

/** The id of a new batch; ids of different milliseconds sort in time order. */
export function newBatchId(nowMs: number): BatchId {
  return (BATCH_PREFIX + newCallId(nowMs)) as BatchId;
}

/** Reads `batch_…`; null for any other text. */
export function parseBatchId(text: string): BatchId | null {
  const bare = text.startsWith(BATCH_PREFIX) ? text.slice(BATCH_PREFIX.length) : '';
  return parseCallId(bare) === bare && bare !== '' ? (text as BatchId) : null;
}

/** The 16 bytes of a batch's id, as the database stores it. */
export function batchIdBytes(id: BatchId): Buffer {
  return callIdBytes(id.slice(BATCH_PREFIX.length) as CallId);
}

/** The inverse of `batchIdBytes`. */
export function batchIdFromBytes(bytes: Uint8Array): BatchId {
  return (BATCH_PREFIX + callIdFromBytes(bytes)) as BatchId;
}

/** The 16 bytes of an id, as the database stores it: 6 bytes of time, big-endian, then the 10 random ones. */
export function callIdBytes(id: CallId): Buffer {
  const bytes = Buffer.allocUnsafe(CALL_ID_BYTES);
  writeCallId(id, bytes, 0);
  return bytes;
}

/** Writes these 16 bytes into `bytes`, starting at `at`. */
export function writeCallId(id: CallId, bytes: Uint8Array, at: number): void {
  let digits = 0;
  let bits = -SPARE_BITS;
  let next = at;
  for (let index = 0; index < ID_CHARACTERS; index += 1) {
    // Bits that were written already are shifted out at the top of the 32.
    digits = (digits << 5) | (DIGITS[id.charCodeAt(index)] as number);
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes[next] = digits >>> bits;
    next += 1;
  }
}

/** The inverse of `callIdBytes`. */
export function callIdFromBytes(bytes: Uint8Array): CallId {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return (encodeTime(buffer.readUIntBE(0, 6)) + encodeFiveBytes(buffer, 6) + encodeFiveBytes(buffer, 11)) as CallId;
}

/** The time at which an id was created, ms since 1970 UTC. */
export function callIdTime(id: CallId): number {
  return decodeBits(id, 0, 5) * 2 ** 25 + decodeBits(id, 5, 5);
}

/** The smallest id of a millisecond: ids compare as text, so a time range begins with it. */
export function firstCallIdAt(ms: number): CallId {
  return (encodeTime(ms) + '0'.repeat(RANDOM_CHARACTERS)) as CallId;
}

let encodedTimeMs = -1;
let encodedTime = '';

function encodeTime(nowMs: number): string {
  if (nowMs === encodedTimeMs) return encodedTime;
  let rest = nowMs;
  let text = '';
  for (let index = 0; index < TIME_CHARACTERS; index += 1) {
    text = ALPHABET[rest % 32] + text;
    rest = Math.floor(rest / 32);
  }
  encodedTimeMs = nowMs;
  encodedTime = text;
  return text;
}

function encodeFiveBytes(bytes: Buffer, offset: number): string {
  const high = bytes.readUIntBE(offset, 3);
  const low = bytes.readUInt16BE(offset + 3);
  return (
    (PAIRS[high >>> 14] as string) +
    PAIRS[(high >>> 4) & 1023] +
    PAIRS[((high & 15) << 6) | (low >>> 10)] +
    PAIRS[low & 1023]
  );
}

/** Reads up to six characters, 5 bits each, as a number. */
function decodeBits(id: string, offset: number, characters: number): number {
  let value = 0;
  for (let index = offset; index < offset + characters; index += 1)
    value = (value << 5) | (DIGITS[id.charCodeAt(index)] as number);
  return value;
}
