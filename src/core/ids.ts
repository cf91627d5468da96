/**
 * Identifiers. Rows of the control plane carry small integers; a call carries 16 bytes (48 bits
 * of wall time, 80 random bits), which sort by time and are written as 26 base-32 characters.
 */
import { randomFillSync } from 'node:crypto';

export type AccountId = number & { readonly __type__: 'AccountId' };
export type ProjectId = number & { readonly __type__: 'ProjectId' };
export type KeyId = number & { readonly __type__: 'KeyId' };
export type PriceVersionId = number & { readonly __type__: 'PriceVersionId' };
/** 26 Crockford base-32 characters, lower case, for 16 bytes. */
export type CallId = string & { readonly __type__: 'CallId' };

export const accountId = (value: number) => value as AccountId;
export const projectId = (value: number) => value as ProjectId;
export const keyId = (value: number) => value as KeyId;
export const priceVersionId = (value: number) => value as PriceVersionId;

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const GENERATION_PREFIX = 'gen-';
const REQUEST_PREFIX = 'req_';
const CALL_ID_LENGTH = 26;
const TIME_CHARACTERS = 10;
const RANDOM_BYTES = 10;

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

/** Reads `gen-…`, `req_…` or the bare id; null when it is none of them. */
export function parseCallId(text: string): CallId | null {
  const bare = text.startsWith(GENERATION_PREFIX) || text.startsWith(REQUEST_PREFIX) ? text.slice(4) : text;
  return /^[0-7][0-9a-hjkmnp-tv-z]{25}$/.test(bare) ? (bare as CallId) : null;
}

/** The 16 bytes of an id, as the database keeps it. */
export function callIdBytes(id: CallId): Buffer {
  const bytes = Buffer.allocUnsafe(16);
  let value = 0n;
  for (let index = 0; index < CALL_ID_LENGTH; index += 1)
    value = (value << 5n) | BigInt(ALPHABET.indexOf(id[index] as string));
  bytes.writeBigUInt64BE(value >> 64n, 0);
  bytes.writeBigUInt64BE(value & 0xffff_ffff_ffff_ffffn, 8);
  return bytes;
}

/** The inverse of `callIdBytes`. */
export function callIdFromBytes(bytes: Uint8Array): CallId {
  let value = 0n;
  for (const byte of bytes) value = (value << 8n) | BigInt(byte);
  let text = '';
  for (let index = 0; index < CALL_ID_LENGTH; index += 1) {
    text = ALPHABET[Number(value & 31n)] + text;
    value >>= 5n;
  }
  return text as CallId;
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
    (ALPHABET[high >>> 19] as string) +
    ALPHABET[(high >>> 14) & 31] +
    ALPHABET[(high >>> 9) & 31] +
    ALPHABET[(high >>> 4) & 31] +
    ALPHABET[((high & 15) << 1) | (low >>> 15)] +
    ALPHABET[(low >>> 10) & 31] +
    ALPHABET[(low >>> 5) & 31] +
    ALPHABET[low & 31]
  );
}
