/**
 * Finds the id of a digest. Digests are stored in one buffer and found by open addressing: a million take 48 MB, where a map of strings
 * takes about 200 MB. A digest is uniformly random to anyone without the pepper, so its first bytes serve as the hash.
 */
import { assert } from '../../core/assert.ts';

const DIGEST_BYTES = 32;
const CAPACITY_MIN = 1024;

export class DigestTable {
  /** The digest of `id` is at `id * 32`: ids are consecutive, so few slots are empty. */
  #digests = Buffer.alloc(CAPACITY_MIN * DIGEST_BYTES);
  /** Ids, or 0 for an empty slot. Its length is a power of two; at most half of it is in use. */
  #slots = new Uint32Array(CAPACITY_MIN);
  #count = 0;

  /** Adds a digest under a positive id. If that has another one, which was removed, it does not any more. */
  add(id: number, digest: Buffer): void {
    assert(digest.length === DIGEST_BYTES, 'a digest is 32 bytes');
    assert(Number.isInteger(id) && id > 0, 'an id is a positive integer');
    this.#grow(id);
    digest.copy(this.#digests, id * DIGEST_BYTES);
    this.#enter(id);
    this.#count += 1;
  }

  /** The id of a digest, or 0. */
  find(digest: Buffer): number {
    const mask = this.#slots.length - 1;
    let slot = digest.readUInt32LE(0) & mask;
    for (let id = this.#slots[slot] as number; id !== 0; id = this.#slots[slot] as number) {
      if (this.holds(id, digest)) return id;
      slot = (slot + 1) & mask;
    }
    return 0;
  }

  /** Whether `id` has exactly this digest. Always compares all 32 bytes, so that the time taken reveals nothing. */
  holds(id: number, digest: Buffer): boolean {
    const offset = id * DIGEST_BYTES;
    let difference = 0;
    for (let index = 0; index < DIGEST_BYTES; index += 1)
      difference |= (this.#digests[offset + index] as number) ^ (digest[index] as number);
    return difference === 0;
  }

  /** A copy of the digest of `id`. */
  digest(id: number): Buffer {
    return Buffer.from(this.#digests.subarray(id * DIGEST_BYTES, (id + 1) * DIGEST_BYTES));
  }

  #grow(id: number): void {
    if (this.#digests.length < (id + 1) * DIGEST_BYTES) {
      const larger = Buffer.alloc(2 ** Math.ceil(Math.log2(id + 1)) * DIGEST_BYTES);
      this.#digests.copy(larger);
      this.#digests = larger;
    }
    if ((this.#count + 1) * 2 > this.#slots.length) {
      const ids = this.#slots.filter((each) => each !== 0);
      this.#slots = new Uint32Array(this.#slots.length * 2);
      for (const each of ids) this.#enter(each);
    }
  }

  #enter(id: number): void {
    const mask = this.#slots.length - 1;
    let slot = this.#digests.readUInt32LE(id * DIGEST_BYTES) & mask;
    while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
    this.#slots[slot] = id;
  }
}
