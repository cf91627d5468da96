/** Goal: the hash is SipHash. Method: the published test vectors, and a second implementation of the paper in `bigint`. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { sipHash128 } from './sip-hash.ts';

const KEY = Uint32Array.of(0x03020100, 0x07060504, 0x0b0a0908, 0x0f0e0d0c);

// https://github.com/veorq/SipHash/blob/master/vectors.h: the key is 00 01 … 0f, the text 00 01 … up to its length.
test('an empty text and one byte hash to the published results', () => {
  assert.equal(hashed(KEY, ''), 'a3817f04ba25a8e66df67214c7550293');
  assert.equal(hashed(KEY, '\0'), 'da87c1d86b99af44347659119b22fc45');
});

test('any text under any key hashes as in the paper', () => {
  const word = fc.nat(0xffff_ffff);
  fc.assert(
    fc.property(fc.tuple(word, word, word, word), fc.uint8Array({ maxLength: 70 }), (words, bytes) => {
      const key = Uint32Array.from(words);
      assert.equal(hashed(key, Buffer.from(bytes).toString('latin1')), paperHash(key, bytes));
    }),
  );
});

function hashed(key: Uint32Array, text: string): string {
  const result = new Uint32Array(4);
  sipHash128(key, text, result);
  return Buffer.from(result.buffer).toString('hex');
}

/** Section 2 of the paper, with the 128-bit result of the authors' reference implementation; slow and simple. */
function paperHash(key: Uint32Array, bytes: Uint8Array): string {
  const keyBytes = Buffer.from(key.buffer);
  const [k0, k1] = [keyBytes.readBigUInt64LE(0), keyBytes.readBigUInt64LE(8)];
  let [v0, v1, v2, v3] = [
    k0 ^ 0x736f6d6570736575n,
    k1 ^ 0x646f72616e646f6dn ^ 0xeen,
    k0 ^ 0x6c7967656e657261n,
    k1 ^ 0x7465646279746573n,
  ];
  const sum = (left: bigint, right: bigint) => BigInt.asUintN(64, left + right);
  const rotate = (value: bigint, bits: bigint) => BigInt.asUintN(64, value << bits) | (value >> (64n - bits));
  const rounds = (count: number) => {
    for (let round = 0; round < count; round += 1) {
      v0 = sum(v0, v1);
      v2 = sum(v2, v3);
      v1 = rotate(v1, 13n) ^ v0;
      v3 = rotate(v3, 16n) ^ v2;
      v0 = rotate(v0, 32n);
      v2 = sum(v2, v1);
      v0 = sum(v0, v3);
      v1 = rotate(v1, 17n) ^ v2;
      v3 = rotate(v3, 21n) ^ v0;
      v2 = rotate(v2, 32n);
    }
  };
  const padded = Buffer.alloc(8 * (Math.floor(bytes.length / 8) + 1));
  padded.set(bytes);
  padded[padded.length - 1] = bytes.length;
  for (let at = 0; at < padded.length; at += 8) {
    const word = padded.readBigUInt64LE(at);
    v3 ^= word;
    rounds(2);
    v0 ^= word;
  }
  const result = Buffer.alloc(16);
  v2 ^= 0xeen;
  rounds(4);
  result.writeBigUInt64LE(v0 ^ v1 ^ v2 ^ v3, 0);
  v1 ^= 0xddn;
  rounds(4);
  result.writeBigUInt64LE(v0 ^ v1 ^ v2 ^ v3, 8);
  return result.toString('hex');
}
