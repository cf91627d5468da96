/**
 * Finds the object of an answer's own `usage`. It is near the end of nearly every answer, so searching backwards is faster than reading the
 * text.
 */
import { isSpace } from '../../../wire/json-grammar.ts';
import type { Place } from '../../kit/relay/place-of-model.ts';

/**
 * `bytes` are known to be a JSON object whose `usage`, the last one where it has several, is an object. Null if only a walk from the front
 * can be sure: it is far from the end, or there is a backslash in between, which could hide a key or a quote.
 */
export function placeOfUsage(bytes: Buffer): Place | null {
  let at = bytes.length - 1;
  while (isSpace(bytes[at] as number)) at -= 1;
  const limit = Math.max(KEY.length, at - REACH);
  let depth = 0;
  let end = 0;
  // The last byte is the brace that closes the answer.
  for (at -= 1; at > limit; at -= 1) {
    const kind = kinds[bytes[at] as number];
    if (kind === PLAIN) continue;
    if (kind === QUOTE) {
      at -= 1;
      while (kinds[bytes[at] as number] !== QUOTE) {
        if (at <= limit || kinds[bytes[at] as number] === BACKSLASH) return null;
        at -= 1;
      }
    } else if (kind === CLOSE) {
      if (depth === 0) end = at + 1;
      depth += 1;
    } else if (kind === OPEN) {
      depth -= 1;
      if (depth < 0) return null;
      if (depth === 0 && isUsageKey(bytes, at - KEY.length)) return { start: at, end };
    } else return null;
  }
  return null;
}

const KEY = Buffer.from('"usage":');
/** A usage that begins further from the end than this is searched from the front. */
const REACH = 2048;
const COMMA = 0x2c;
const OPEN_BRACE = 0x7b;

// The kinds of bytes for a search for brackets outside strings.
const PLAIN = 0;
const QUOTE = 1;
const BACKSLASH = 2;
const OPEN = 3;
const CLOSE = 4;
const kinds = new Uint8Array(256);
kinds[0x22] = QUOTE;
kinds[0x5c] = BACKSLASH;
for (const byte of Buffer.from('[{')) kinds[byte] = OPEN;
for (const byte of Buffer.from(']}')) kinds[byte] = CLOSE;

/** Whether the key is there and is the answer's: directly after another field, or the first one. */
function isUsageKey(bytes: Buffer, start: number): boolean {
  for (let index = 0; index < KEY.length; index += 1) if (bytes[start + index] !== KEY[index]) return false;
  const before = bytes[start - 1];
  return before === COMMA || before === OPEN_BRACE;
}
