/** What parsing JSON bytes would cost, told before it is done. */
import { skipString } from './json-grammar.ts';
import { ESCAPED_NAME_VALUES } from './json-scan.ts';

/** Whether the bytes hold more than `max` values and names. */
export function hasMoreValues(bytes: Buffer, max: number): boolean {
  return countValues(bytes, max) > max;
}

/**
 * How many values and names the bytes hold; it stops counting above `max`. On bytes that are no JSON the number means nothing,
 * but then the parser refuses them.
 */
export function countValues(bytes: Buffer, max: number): number {
  let values = 1;
  /** An opening bracket came last, white space aside: what follows is its first value or name, unless it is closed at once. */
  let opened = false;
  for (let at = 0; at < bytes.length && values <= max; at += 1) {
    const byte = bytes[at] as number;
    if (byte <= SPACE) continue;
    if (opened && byte !== CLOSE_BRACKET && byte !== CLOSE_BRACE) values += 1;
    opened = byte === OPEN_BRACKET || byte === OPEN_BRACE;
    if (byte === COMMA || byte === COLON) values += 1;
    else if (byte === QUOTE) {
      const end = skipString(bytes, at + 1);
      if (end > 0 && isName(bytes, end) && bytes.subarray(at, end).includes(BACKSLASH))
        values += ESCAPED_NAME_VALUES - 1;
      at = end < 0 ? bytes.length : end - 1;
    }
  }
  return values;
}

/** Whether a colon follows. */
function isName(bytes: Buffer, end: number): boolean {
  let at = end;
  while (at < bytes.length && (bytes[at] as number) <= SPACE) at += 1;
  return bytes[at] === COLON;
}

const SPACE = 0x20;
const BACKSLASH = 0x5c;
const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
