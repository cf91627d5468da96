/**
 * The keys found of late, so that a key in use is not digested with the pepper for every call. A
 * secret is recognised by a hash of 128 bits under a key that this process drew: no secret is kept,
 * and who does not know that key cannot make a text that is taken for another. Only keys that
 * exist get in, so guesses push nothing out.
 */
import { randomFillSync } from 'node:crypto';
import type { Key } from './keys.ts';
import { sipHash128 } from './secret/sip-hash.ts';

/** A power of two. A key has one place; another with the same place takes it over. */
const PLACES = 4096;
const TAG_WORDS = 4;

export class RecentKeys {
  readonly #hashKey = randomFillSync(new Uint32Array(TAG_WORDS));
  readonly #tag = new Uint32Array(TAG_WORDS);
  readonly #tags = new Uint32Array(PLACES * TAG_WORDS);
  readonly #keys: (Key | undefined)[] = Array(PLACES).fill(undefined);
  #isEmpty = true;

  find(secret: string): Key | undefined {
    const place = this.#placeOf(secret);
    let difference = 0;
    for (let word = 0; word < TAG_WORDS; word += 1)
      difference |= (this.#tags[place * TAG_WORDS + word] as number) ^ (this.#tag[word] as number);
    return difference === 0 ? this.#keys[place] : undefined;
  }

  remember(secret: string, key: Key): void {
    const place = this.#placeOf(secret);
    this.#tags.set(this.#tag, place * TAG_WORDS);
    this.#keys[place] = key;
    this.#isEmpty = false;
  }

  clear(): void {
    if (this.#isEmpty) return;
    this.#keys.fill(undefined);
    this.#isEmpty = true;
  }

  /** Leaves the hash of the secret in `#tag`. */
  #placeOf(secret: string): number {
    sipHash128(this.#hashKey, secret, this.#tag);
    return (this.#tag[0] as number) & (PLACES - 1);
  }
}
