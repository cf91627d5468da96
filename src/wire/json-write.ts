/**
 * JSON as bytes, for values that may hold an image. `JSON.stringify` looks at every character of a text for what must
 * be escaped and copies it twice; base 64 has nothing to escape and is copied once, straight into its place.
 */
import { randomBytes } from 'node:crypto';

/** The same bytes as `Buffer.from(JSON.stringify(value))`. `largest`: the length of the longest text in it, about. */
export function writeJson(value: unknown, largest: number): Buffer {
  return (largest < LARGE_LENGTH ? null : writeAround(value)) ?? Buffer.from(JSON.stringify(value));
}

/** From this length on a text is worth the care. */
const LARGE_LENGTH = 256 * 1024;
/** Stands for a large text while the rest is written. No caller can know it. */
const MARK = `turnpike-${randomBytes(16).toString('hex')}`;

/** Null where a large text holds something that JSON writes in another way. */
function writeAround(value: unknown): Buffer | null {
  const large: string[] = [];
  const rest = JSON.stringify(value, (_name, item: unknown) => {
    if (typeof item !== 'string' || item.length < LARGE_LENGTH) return item;
    large.push(item);
    return MARK;
  });
  const parts = rest.split(MARK);
  let length = 0;
  for (const part of parts) length += Buffer.byteLength(part);
  for (const text of large) {
    // Longer in UTF-8 than in characters: it is not ASCII.
    if (Buffer.byteLength(text) !== text.length) return null;
    length += text.length;
  }
  const bytes = Buffer.allocUnsafeSlow(length);
  let at = bytes.write(parts[0] ?? '');
  for (const [index, text] of large.entries()) {
    const start = at;
    at += bytes.write(text, at, 'latin1');
    if (!isPlain(bytes, start, at)) return null;
    at += bytes.write(parts[index + 1] ?? '', at);
  }
  return bytes;
}

/** Whether ASCII bytes hold no control character, no quote and no backslash; four at a time. */
function isPlain(bytes: Buffer, start: number, end: number): boolean {
  let at = start;
  while (at < end && (bytes.byteOffset + at) % 4 !== 0) if (isSpecial(bytes[at++] as number)) return false;
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset + at, (end - at) >>> 2);
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] as number;
    const quotes = word ^ QUOTES;
    const backslashes = word ^ BACKSLASHES;
    // The high bit of a byte shows where it was less than what was taken away: below a space, or none left of a difference.
    const found = (word - SPACES) | (quotes - ONES) | (backslashes - ONES);
    if ((found & HIGH_BITS) !== 0) return false;
  }
  for (at += words.length * 4; at < end; at += 1) if (isSpecial(bytes[at] as number)) return false;
  return true;
}

const SPACES = 0x20202020;
const QUOTES = 0x22222222;
const BACKSLASHES = 0x5c5c5c5c;
const ONES = 0x01010101;
const HIGH_BITS = 0x80808080;

function isSpecial(byte: number): boolean {
  return byte < 0x20 || byte === 0x22 || byte === 0x5c;
}
