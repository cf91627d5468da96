/**
 * The pepper is the secret that turns a key into the digest in the database: without it a copy of the database is of no use. The database
 * contains only its id.
 */
import { hash } from 'node:crypto';
import type { Secret } from '../../core/secret.ts';

const BLOCK_BYTES = 64;
const INNER_PAD = 0x36;
const OUTER_PAD = 0x5c;
const DIGEST_BYTES = 32;
const ID_CHARACTERS = 16;

/** HMAC of https://www.rfc-editor.org/rfc/rfc2104, its two padded blocks made once at start. */
export class Pepper {
  /** Identifies the pepper without revealing it. */
  readonly id: string;
  readonly #inner: Buffer;
  readonly #outer: Buffer;

  /** Takes the pepper as hexadecimal text, 32 bytes. */
  constructor(hex: Secret) {
    const bytes = Buffer.from(hex.reveal(), 'hex');
    if (bytes.length !== 32) throw new RangeError('a pepper must be 32 bytes, written as 64 hexadecimal digits');
    this.#inner = padded(bytes, INNER_PAD, BLOCK_BYTES);
    this.#outer = padded(bytes, OUTER_PAD, DIGEST_BYTES);
    this.id = this.digest('turnpike pepper id').toString('hex').slice(0, ID_CHARACTERS);
  }

  /**
   * HMAC-SHA-256 of an ASCII text of at most 64 characters. Two calls of `crypto.hash` that return a string take a third of the time of one
   * `createHmac`, which creates an object in the crypto library each time; returning a `Buffer` would take twice as long.
   */
  digest(text: string): Buffer {
    if (text.length > BLOCK_BYTES) throw new RangeError('a text to digest has at most 64 characters');
    const textBytes = this.#inner.write(text, BLOCK_BYTES, 'latin1');
    const inner = hash('sha256', this.#inner.subarray(0, BLOCK_BYTES + textBytes), 'latin1');
    this.#outer.write(inner, BLOCK_BYTES, 'latin1');
    return Buffer.from(hash('sha256', this.#outer, 'latin1'), 'latin1');
  }
}

/** A block of the padded key, followed by space for the data to hash. */
function padded(key: Buffer, pad: number, dataBytes: number): Buffer {
  const block = Buffer.alloc(BLOCK_BYTES + dataBytes, pad);
  for (let index = 0; index < key.length; index += 1) block[index] = pad ^ (key[index] as number);
  return block;
}
