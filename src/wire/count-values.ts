/** Estimates what parsing JSON bytes would cost, before it is done. */
import { skipString } from './json-grammar.ts';
import { ESCAPED_NAME_VALUES } from './json-scan.ts';

/** Whether the bytes hold more than `max` values and names. */
export function hasMoreValues(bytes: Buffer, max: number): boolean {
  return countValues(bytes, max) > max;
}

/**
 * How many values and names the bytes hold; counting stops above `max`. The number means nothing if the bytes are not JSON, but then the
 * parser refuses them.
 */
export function countValues(bytes: Buffer, max: number): number {
  let values = 1;
  /**
   * The last byte other than white space was an opening bracket: what follows is its first value or name, unless it is closed immediately.
   */
  let opened = false;
  for (let at = 0; at < bytes.length && values <= max; at += 1) {
    const kind = KINDS[bytes[at] as number] as number;
    if (kind === OTHER && !opened) continue;
    if (kind === SPACE_KIND) continue;
    if (opened && kind !== CLOSES) values += 1;
    opened = kind === OPENS;
    if (kind === SEPARATES) values += 1;
    else if (kind === QUOTES) {
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
const COLON = 0x3a;

const OTHER = 0;
const SPACE_KIND = 1;
const QUOTES = 2;
const SEPARATES = 3;
const OPENS = 4;
const CLOSES = 5;
/** By byte. */
const KINDS = new Uint8Array(256);
KINDS.fill(SPACE_KIND, 0, SPACE + 1);
for (const [characters, kind] of [
  ['"', QUOTES],
  [',:', SEPARATES],
  ['[{', OPENS],
  [']}', CLOSES],
] as const)
  for (const character of characters) KINDS[character.charCodeAt(0)] = kind;
