/**
 * SipHash-2-4 with a result of 128 bits: a short, fast keyed hash. https://www.aumasson.jp/siphash/siphash.pdf
 *
 * It is used instead of OpenSSL's SHA-256 because a call into OpenSSL between other work misses the processor's caches: in the profile of a
 * busy gateway a lookup with one such call took three times as long. 64-bit numbers are pairs of 32 bits: a `bigint` would be an object.
 */

/** Hashes a text of one-byte characters under a key of 4 words into the 4 words of `result`. */
export function sipHash128(key: Uint32Array, text: string, result: Uint32Array): void {
  const k0 = key[0] as number;
  const k1 = key[1] as number;
  const k2 = key[2] as number;
  const k3 = key[3] as number;
  let v0 = k0 ^ 0x70736575;
  let v0High = k1 ^ 0x736f6d65;
  let v1 = k2 ^ 0x6e646f6d ^ LONG_RESULT;
  let v1High = k3 ^ 0x646f7261;
  let v2 = k0 ^ 0x6e657261;
  let v2High = k1 ^ 0x6c796765;
  let v3 = k2 ^ 0x79746573;
  let v3High = k3 ^ 0x74656462;

  const blocks = (text.length >>> 3) + 1;
  // The blocks of the text, the last padded with its length; then the two halves of the result.
  for (let block = 0; block < blocks + 2; block += 1) {
    const word = block < blocks ? wordAt(text, block * 8) : 0;
    const wordHigh = block < blocks ? wordAt(text, block * 8 + 4) ^ (block === blocks - 1 ? text.length << 24 : 0) : 0;
    v3 ^= word;
    v3High ^= wordHigh;
    if (block === blocks) v2 ^= LONG_RESULT;
    else if (block > blocks) v1 ^= SECOND_HALF;
    for (let rounds = block < blocks ? 2 : 4; rounds > 0; rounds -= 1) {
      let before = v0;
      let rotated = 0;
      v0 = (v0 + v1) | 0;
      v0High = (v0High + v1High + carry(v0, before)) | 0;
      rotated = (v1 << 13) | (v1High >>> 19);
      v1High = ((v1High << 13) | (v1 >>> 19)) ^ v0High;
      v1 = rotated ^ v0;
      rotated = v0;
      v0 = v0High;
      v0High = rotated;

      before = v2;
      v2 = (v2 + v3) | 0;
      v2High = (v2High + v3High + carry(v2, before)) | 0;
      rotated = (v3 << 16) | (v3High >>> 16);
      v3High = ((v3High << 16) | (v3 >>> 16)) ^ v2High;
      v3 = rotated ^ v2;

      before = v0;
      v0 = (v0 + v3) | 0;
      v0High = (v0High + v3High + carry(v0, before)) | 0;
      rotated = (v3 << 21) | (v3High >>> 11);
      v3High = ((v3High << 21) | (v3 >>> 11)) ^ v0High;
      v3 = rotated ^ v0;

      before = v2;
      v2 = (v2 + v1) | 0;
      v2High = (v2High + v1High + carry(v2, before)) | 0;
      rotated = (v1 << 17) | (v1High >>> 15);
      v1High = ((v1High << 17) | (v1 >>> 15)) ^ v2High;
      v1 = rotated ^ v2;
      rotated = v2;
      v2 = v2High;
      v2High = rotated;
    }
    v0 ^= word;
    v0High ^= wordHigh;
    if (block < blocks) continue;
    const half = (block - blocks) * 2;
    result[half] = v0 ^ v1 ^ v2 ^ v3;
    result[half + 1] = v0High ^ v1High ^ v2High ^ v3High;
  }
}

const LONG_RESULT = 0xee;
const SECOND_HALF = 0xdd;

/** 1 if a sum of two 32-bit numbers, one of them `before`, overflowed; otherwise 0. */
function carry(sum: number, before: number): number {
  return sum >>> 0 < before >>> 0 ? 1 : 0;
}

/** Four characters as a little-endian number; 0 for characters beyond the end of the text. */
function wordAt(text: string, at: number): number {
  if (at + 4 <= text.length)
    return (
      text.charCodeAt(at) |
      (text.charCodeAt(at + 1) << 8) |
      (text.charCodeAt(at + 2) << 16) |
      (text.charCodeAt(at + 3) << 24)
    );
  let word = 0;
  for (let index = at; index < text.length; index += 1) word |= text.charCodeAt(index) << (8 * (index - at));
  return word;
}
