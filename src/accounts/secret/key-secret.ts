/**
 * The secret of a key: `sk-tp-`, 43 base-62 characters of 256 random bits, 6 of their CRC-32. The checksum allows junk to be refused
 * without a lookup, and confirms matches of scanners for leaked secrets.
 */
import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { Secret } from '../../core/secret.ts';
import type { Pepper } from './pepper.ts';

export const SECRET_PREFIX = 'sk-tp-';
/** The pattern for scanners for leaked secrets. */
export const SECRET_PATTERN = /\bsk-tp-[0-9A-Za-z]{49}\b/;

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_CHARACTERS = 43;
const CHECKSUM_CHARACTERS = 6;
const CHECKSUM_OFFSET = SECRET_PREFIX.length + RANDOM_CHARACTERS;
const SECRET_LENGTH = CHECKSUM_OFFSET + CHECKSUM_CHARACTERS;
const NO_DIGIT = 255;

/** Character code → value of a base-62 digit. */
const DIGITS = new Uint8Array(256).fill(NO_DIGIT);
for (let value = 0; value < ALPHABET.length; value += 1) DIGITS[ALPHABET.charCodeAt(value)] = value;

const CRC_TABLE = Int32Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb8_8320 : value >>> 1;
  return value;
});

/** Creates a random secret; the return value is its only copy. */
export function newSecret(): Secret {
  const random = base62(BigInt(`0x${randomBytes(32).toString('hex')}`), RANDOM_CHARACTERS);
  return new Secret(SECRET_PREFIX + random + base62(BigInt(crc32(random)), CHECKSUM_CHARACTERS));
}

/** Whether a text has the shape of a secret: prefix, length, alphabet and checksum. Not whether the key exists. */
export function secretShape(text: string): boolean {
  if (text.length !== SECRET_LENGTH || !text.startsWith(SECRET_PREFIX)) return false;
  let crc = -1;
  for (let index = SECRET_PREFIX.length; index < CHECKSUM_OFFSET; index += 1) {
    const code = text.charCodeAt(index);
    if (code > 255 || DIGITS[code] === NO_DIGIT) return false;
    crc = (CRC_TABLE[(crc ^ code) & 255] as number) ^ (crc >>> 8);
  }
  let checksum = 0;
  for (let index = CHECKSUM_OFFSET; index < SECRET_LENGTH; index += 1) {
    const code = text.charCodeAt(index);
    if (code > 255 || DIGITS[code] === NO_DIGIT) return false;
    checksum = checksum * ALPHABET.length + (DIGITS[code] as number);
  }
  return checksum === ~crc >>> 0;
}

/** What may be shown of a secret: `sk-tp-…wXyZ`. The last characters belong to the checksum, not to the random part. */
export function labelOf(secret: Secret): string {
  return `${SECRET_PREFIX}…${secret.reveal().slice(-4)}`;
}

/** The 32 bytes that the database stores for a secret. */
export function digestOf(secret: Secret, pepper: Pepper): Buffer {
  return pepper.digest(secret.reveal());
}

function base62(value: bigint, characters: number): string {
  let text = '';
  for (let rest = value; text.length < characters; rest /= 62n) text = ALPHABET[Number(rest % 62n)] + text;
  return text;
}
