/**
 * JSON as bytes, for values that may contain an image. `JSON.stringify` checks every character of a text for escapes and copies it twice;
 * base 64 needs no escapes and is copied once, directly to its position.
 */
import { randomBytes } from 'node:crypto';
import { isPlain } from './plain-bytes.ts';

/**
 * The same bytes as `Buffer.from(JSON.stringify(value))`. `largest`: about the length of the longest text in it. If `scratch` is large
 * enough, it is written into, and the result is a view of it.
 */
export function writeJson(value: unknown, largest: number, scratch: Buffer | null = null): Buffer {
  return (largest < LARGE_LENGTH ? null : writeAround(value, scratch)) ?? Buffer.from(JSON.stringify(value));
}

/**
 * Memory for `writeJson`, already touched: the first touch of fresh megabytes takes longer than writing them, so for a large value it can
 * be done in a separate turn of the event loop. `length`: about that of the value; `largest` as in `writeJson`. Null if `writeJson` has no
 * use for it.
 */
export function allocateScratch(length: number, largest: number): Buffer | null {
  return largest < LARGE_LENGTH ? null : Buffer.allocUnsafeSlow(length + SPARE_LENGTH).fill(0);
}

/** For names of fields and the like, by which one format is longer than another. */
const SPARE_LENGTH = 256 * 1024;

/** The length from which a text is worth the effort. */
const LARGE_LENGTH = 256 * 1024;
/** Replaces a large text while the rest is written. No caller can know it. */
const MARK = `turnpike-${randomBytes(16).toString('hex')}`;

/** Null if a large text contains something that JSON escapes. */
function writeAround(value: unknown, scratch: Buffer | null): Buffer | null {
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
  const bytes =
    scratch !== null && scratch.length >= length ? scratch.subarray(0, length) : Buffer.allocUnsafeSlow(length);
  let at = bytes.write(parts[0] ?? '');
  for (const [index, text] of large.entries()) {
    const start = at;
    at += bytes.write(text, at, 'latin1');
    if (!isPlain(bytes, start, at)) return null;
    at += bytes.write(parts[index + 1] ?? '', at);
  }
  return bytes;
}
