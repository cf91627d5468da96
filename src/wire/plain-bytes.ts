/** Whether ASCII bytes contain no control character, quote or backslash, so that JSON needs no escapes. Checks four at a time. */
export function isPlain(bytes: Buffer, start: number, end: number): boolean {
  let at = start;
  while (at < end && (bytes.byteOffset + at) % 4 !== 0) if (isSpecial(bytes[at++] as number)) return false;
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset + at, (end - at) >>> 2);
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] as number;
    const quotes = word ^ QUOTES;
    const backslashes = word ^ BACKSLASHES;
    // The high bit of a byte is set if the subtraction borrowed: the byte is below a space, or its difference is zero.
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
