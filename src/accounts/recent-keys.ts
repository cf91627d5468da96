/**
 * Recently found keys, so that a key in use is not digested with the pepper on every call. A secret is recognised by a 128-bit hash under a
 * random key of this process: no secret is kept, and an attacker who does not know that key cannot construct a collision. Only existing
 * keys are added, so guesses evict nothing.
 */
import { randomFillSync } from 'node:crypto';
import type { Key } from './keys.ts';
import { sipHash128 } from './secret/sip-hash.ts';

/** A power of two. Each key maps to one slot and replaces the key in it. */
const SLOTS = 4096;
const TAG_WORDS = 4;

export class RecentKeys {
  readonly #hashKey = randomFillSync(new Uint32Array(TAG_WORDS));
  readonly #tag = new Uint32Array(TAG_WORDS);
  readonly #tags = new Uint32Array(SLOTS * TAG_WORDS);
  readonly #keys: (Key | undefined)[] = Array(SLOTS).fill(undefined);
  #isEmpty = true;

  find(secret: string): Key | undefined {
    const slot = this.#slotOf(secret);
    let difference = 0;
    for (let word = 0; word < TAG_WORDS; word += 1)
      difference |= (this.#tags[slot * TAG_WORDS + word] as number) ^ (this.#tag[word] as number);
    return difference === 0 ? this.#keys[slot] : undefined;
  }

  remember(secret: string, key: Key): void {
    const slot = this.#slotOf(secret);
    this.#tags.set(this.#tag, slot * TAG_WORDS);
    this.#keys[slot] = key;
    this.#isEmpty = false;
  }

  clear(): void {
    if (this.#isEmpty) return;
    this.#keys.fill(undefined);
    this.#isEmpty = true;
  }

  /** Leaves the hash of the secret in `#tag`. */
  #slotOf(secret: string): number {
    sipHash128(this.#hashKey, secret, this.#tag);
    return (this.#tag[0] as number) & (SLOTS - 1);
  }
}
