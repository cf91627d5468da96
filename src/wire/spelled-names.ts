/**
 * Names that matter and must be spelled exactly: a provider may also accept `MODEL` for `model`, and obey that. Checking a name that is not
 * one of them in any spelling costs next to nothing.
 */
import { assert } from '../core/assert.ts';
import { GatewayError } from '../core/errors.ts';
import { foldName } from './name-fold.ts';

export class SpelledNames {
  readonly #exact: ReadonlySet<string>;
  /** The first of several with the same fold. */
  readonly #byFold: ReadonlyMap<string, string>;
  /** The same few names recur, and are not folded each time. */
  readonly #harmless = new Set<string>();
  /** By first byte, a bit for each length in bytes (bit 31 means 31 or more) that a spelling of a name may have. */
  readonly #lengths = new Int32Array(256);
  /** By first byte, a bit for each last letter of the names that may begin with it; see `LAST_BITS`. */
  readonly #lasts = new Int32Array(256);
  /** By first letter, a bit for the length without `_` of each name that has some. */
  readonly #bare = new Int32Array(256);

  /** `names` consist of letters and `_`, as the formats' names do. */
  constructor(names: Iterable<string>) {
    const byFold = new Map<string, string>();
    this.#exact = new Set(names);
    for (const name of this.#exact) {
      assert(/^[a-z]([a-z_]*[a-z])?$/i.test(name), 'a name to be checked for spelling consists of letters');
      const fold = foldName(name);
      if (!byFold.has(fold)) byFold.set(fold, name);
      this.#note(fold, fold !== name);
    }
    this.#byFold = byFold;
  }

  has(name: string): boolean {
    return this.#exact.has(name);
  }

  /** Throws `GatewayError` 400 if `name`, at the top level of a body, is a misspelling of one of these. */
  refuseMisspelled(name: string): void {
    const spelling = this.spellingOf(name);
    if (spelling !== null) throw misspelled(name, spelling, name);
  }

  /** How a name should be spelled; null if it is correct, or not one of these. */
  spellingOf(name: string): string | null {
    if (this.#exact.has(name) || this.#harmless.has(name)) return null;
    const spelling = this.#byFold.get(foldName(name)) ?? null;
    if (spelling === null && this.#harmless.size < HARMLESS_MAX && name.length <= HARMLESS_LENGTH_MAX)
      this.#harmless.add(name);
    return spelling;
  }

  /** False for most names that are not one of these in any spelling. */
  mayBe(bytes: Buffer, start: number, end: number, escaped: boolean): boolean {
    const first = bytes[start] as number;
    if (!hasBit(this.#lengths, first, Math.min(end - start, 31))) return false;
    return escaped || hasBit(this.#lasts, first, LAST_BITS[bytes[end - 1] as number] as number);
  }

  /** For a name without escapes that passed `mayBe`: false for most that are spelled correctly. */
  mayMisspell(bytes: Buffer, start: number, end: number): boolean {
    let common = 0xff;
    for (let at = start; at < end; at++) common &= bytes[at] as number;
    if ((common & SMALL_LETTERS) !== SMALL_LETTERS) return true;
    return hasBit(this.#bare, bytes[start] as number, Math.min(end - start, 31));
  }

  #note(fold: string, isBare: boolean): void {
    const first = fold.charCodeAt(0);
    // Capitals are as long as small letters; an escape, a character beyond ASCII, or `_` makes a name longer.
    const longer = -1 << Math.min(fold.length, 31);
    const last = (1 << bitOf(fold.charCodeAt(fold.length - 1))) | (1 << ANY_LAST);
    for (let byte = 0; byte < 256; byte++) {
      const isOdd = byte >= 0x80 || ODD_STARTS.includes(byte);
      if (!isOdd && (byte | 0x20) !== first) continue;
      addBits(this.#lengths, byte, longer);
      addBits(this.#lasts, byte, isOdd ? -1 : last);
    }
    if (isBare) addBits(this.#bare, first, 1 << Math.min(fold.length, 31));
  }
}

const SMALL_A = 0x61;
const SMALL_Z = 0x7a;
/**
 * Every byte of a name in small letters and without `_` or `-` has these bits; in any other name some byte lacks them (beyond ASCII, the
 * second byte of a character).
 */
const SMALL_LETTERS = 0x60;
/** What a spelling may begin with instead of its first letter: `_`, `-`, and an escape. */
const ODD_STARTS: readonly number[] = [...Buffer.from('_-\\')];
const HARMLESS_MAX = 512;
const HARMLESS_LENGTH_MAX = 40;
const SHOWN_CHARACTERS = 100;

/** The bit of a name's last byte: one per letter, small or capital; the same for all others. */
const ANY_LAST = 31;
const LAST_BITS = Uint8Array.from({ length: 256 }, (_, byte) => bitOf(byte));

function bitOf(byte: number): number {
  const letter = byte | 0x20;
  return byte < 0x80 && letter >= SMALL_A && letter <= SMALL_Z ? letter - SMALL_A : ANY_LAST;
}

function addBits(bits: Int32Array, at: number, more: number): void {
  bits[at] = (bits[at] as number) | more;
}

function hasBit(bits: Int32Array, at: number, bit: number): boolean {
  return (((bits[at] as number) >>> bit) & 1) === 1;
}

/** `path` leads to the name. */
export function misspelled(name: string, spelling: string, path: string): GatewayError {
  const shown = name.slice(0, SHOWN_CHARACTERS);
  return new GatewayError('field_not_allowed', {
    message: `The field ${JSON.stringify(shown)} is not accepted: spell it "${spelling}". Some providers take both for the same field.`,
    param: path === name ? shown : path,
  });
}
