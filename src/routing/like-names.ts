/**
 * Picks the few names among thousands that may be like a wanted one, by the pairs of letters they share: each name has 128 bits, one for each
 * hash of a pair. Comparing all of them letter by letter would take a tenth of a second.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';

const WORDS = 4;
const BITS = WORDS * 32;
/** Names that are read before others run: about 2 ms. */
const TURN_NAMES = 1_000;

export class LikeNames {
  readonly #signatures: Uint32Array;
  readonly #counts: Uint8Array;

  private constructor(count: number) {
    this.#signatures = new Uint32Array(count * WORDS);
    this.#counts = new Uint8Array(count);
  }

  static of(names: readonly string[]): LikeNames {
    const like = new LikeNames(names.length);
    like.#sign(names, 0, names.length);
    return like;
  }

  /** The same in turns of the event loop. */
  static async inTurns(names: readonly string[]): Promise<LikeNames> {
    const like = new LikeNames(names.length);
    for (let at = 0; at < names.length; at += TURN_NAMES) {
      if (at > 0) await nextTurn();
      like.#sign(names, at, Math.min(at + TURN_NAMES, names.length));
    }
    return like;
  }

  #sign(names: readonly string[], start: number, end: number): void {
    for (let index = start; index < end; index += 1) {
      sign(names[index] as string, this.#signatures, index * WORDS);
      this.#counts[index] = countBits(this.#signatures, index * WORDS);
    }
  }

  /** The indexes of at most `countMax` names, those that share most first. */
  find(wanted: string, countMax: number): readonly number[] {
    const asked = new Uint32Array(WORDS);
    sign(wanted, asked, 0);
    const askedCount = countBits(asked, 0);
    /** How many names share so many of 256 parts. */
    const shares = new Uint8Array(this.#counts.length);
    const byShare = new Uint32Array(256);
    for (let index = 0; index < shares.length; index += 1) {
      let shared = 0;
      for (let word = 0; word < WORDS; word += 1)
        shared += ones((this.#signatures[index * WORDS + word] as number) & (asked[word] as number));
      const share = Math.floor((510 * shared) / (askedCount + (this.#counts[index] as number) || 1));
      shares[index] = share;
      byShare[share] = (byShare[share] as number) + 1;
    }
    return this.#best(shares, byShare, countMax);
  }

  #best(shares: Uint8Array, byShare: Uint32Array, countMax: number): readonly number[] {
    let least = 255;
    for (let room = countMax; least > 0 && room >= (byShare[least] as number); least -= 1)
      room -= byShare[least] as number;
    const found: number[] = [];
    for (let index = 0; index < shares.length; index += 1) if ((shares[index] as number) > least) found.push(index);
    // Those that share just as much, as far as there is room.
    for (let index = 0; index < shares.length && found.length < countMax; index += 1)
      if (shares[index] === least && least > 0) found.push(index);
    return found.sort((a, b) => (shares[b] as number) - (shares[a] as number) || a - b);
  }
}

/** In any spelling: capital letters count as small ones, and a dot, an underscore and a space as a hyphen. */
function sign(name: string, signatures: Uint32Array, at: number): void {
  const small = name.toLowerCase();
  let before = 0;
  for (let index = 0; index < small.length; index += 1) {
    const code = small.charCodeAt(index);
    const letter = code === DOT || code === UNDERSCORE || code === SPACE ? HYPHEN : code;
    const bit = (Math.imul(before * 31 + letter, 0x9e3779b1) >>> 16) % BITS;
    signatures[at + (bit >>> 5)] = (signatures[at + (bit >>> 5)] as number) | (1 << (bit & 31));
    before = letter;
  }
}

const [SPACE, HYPHEN, DOT, UNDERSCORE] = [0x20, 0x2d, 0x2e, 0x5f];

function countBits(signatures: Uint32Array, at: number): number {
  let count = 0;
  for (let word = 0; word < WORDS; word += 1) count += ones(signatures[at + word] as number);
  return count;
}

/** The number of ones among 32 bits. */
function ones(bits: number): number {
  let left = bits - ((bits >>> 1) & 0x55555555);
  left = (left & 0x33333333) + ((left >>> 2) & 0x33333333);
  return Math.imul((left + (left >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
