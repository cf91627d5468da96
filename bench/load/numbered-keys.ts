/**
 * API keys by number: of the right shape, checksum included, and made again instead of kept, so that a
 * million of them take neither a list nor the time of a random source.
 */
import { crc32 } from 'node:zlib';

/** The series of those that the first account has, and of those that none has. */
export const GOOD_KEYS = 'k';
export const BAD_KEYS = 'b';
/** Of further accounts. */
export const ACCOUNT_KEYS = 'a';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_CHARACTERS = 43;
const NUMBER_CHARACTERS = 7;
const CHECKSUM_CHARACTERS = 6;

/** `series` is one character; keys of different series differ. */
export function numberedKey(series: string, number: number): string {
  const body = series.repeat(RANDOM_CHARACTERS - NUMBER_CHARACTERS) + base62(number, NUMBER_CHARACTERS);
  return `sk-tp-${body}${base62(crc32(body), CHECKSUM_CHARACTERS)}`;
}

function base62(value: number, characters: number): string {
  let text = '';
  for (let rest = value; text.length < characters; rest = Math.floor(rest / 62)) text = ALPHABET[rest % 62] + text;
  return text;
}
