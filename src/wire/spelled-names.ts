/**
 * Names on which something depends, and which have to be spelled as they are: beside `model` a provider may read `MODEL`, and
 * obey that. A name that is none of them in any spelling costs next to nothing.
 */
import { assert } from '../core/assert.ts';
import { GatewayError } from '../core/errors.ts';
import { foldName } from './name-fold.ts';

export class SpelledNames {
  readonly #exact: ReadonlySet<string>;
  /** Of several with one fold, the first. */
  readonly #byFold: ReadonlyMap<string, string>;
  /** The same few names come again and again, and are not folded each time. */
  readonly #harmless = new Set<string>();
  /** By first byte, a bit for each length in bytes (bit 31 stands for 31 and more) that a spelling of a name may have. */
  readonly #lengths = new Int32Array(256);
  /** By first byte, a bit for each last letter of the names that may begin with it; see `LAST_BITS`. */
  readonly #lasts = new Int32Array(256);
  /** By first letter, a bit for each length of a name without its `_`, where it has some. */
  readonly #bare = new Int32Array(256);

  /** `names` are of letters and `_`, as those of the formats are. */
  constructor(names: Iterable<string>) {
    const byFold = new Map<string, string>();
    this.#exact = new Set(names);
    for (const name of this.#exact) {
      assert(/^[a-z]([a-z_]*[a-z])?$/i.test(name), 'a name that is to be spelled is of letters');
      const fold = foldName(name);
      if (!byFold.has(fold)) byFold.set(fold, name);
      this.#note(fold, fold !== name);
    }
    this.#byFold = byFold;
  }

  has(name: string): boolean {
    return this.#exact.has(name);
  }

  /** Throws `GatewayError` 400 where `name`, at the top of a body, is one of these, spelled otherwise. */
  refuseMisspelled(name: string): void {
    const spelling = this.spellingOf(name);
    if (spelling !== null) throw misspelled(name, spelling, name);
  }

  /** How a name should be spelled; null where it is as it should be, or none of these. */
  spellingOf(name: string): string | null {
    if (this.#exact.has(name) || this.#harmless.has(name)) return null;
    const spelling = this.#byFold.get(foldName(name)) ?? null;
    if (spelling === null && this.#harmless.size < HARMLESS_MAX && name.length <= HARMLESS_LENGTH_MAX)
      this.#harmless.add(name);
    return spelling;
  }

  /** False for most names that are none of these in any spelling. */
  mayBe(bytes: Buffer, start: number, end: number, escaped: boolean): boolean {
    const first = bytes[start] as number;
    if (!hasBit(this.#lengths, first, Math.min(end - start, 31))) return false;
    return escaped || hasBit(this.#lasts, first, LAST_BITS[bytes[end - 1] as number] as number);
  }

  /** The same of a name without escapes that may be one of these, and is then spelled well. */
  mayMisspell(bytes: Buffer, start: number, end: number): boolean {
    let common = 0xff;
    for (let at = start; at < end; at++) common &= bytes[at] as number;
    if ((common & SMALL_LETTERS) !== SMALL_LETTERS) return true;
    return hasBit(this.#bare, bytes[start] as number, Math.min(end - start, 31));
  }

  #note(fold: string, isBare: boolean): void {
    const first = fold.charCodeAt(0);
    // Capitals are as long as small letters; an escape, a character beyond ASCII, or `_` make a name longer.
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
/** Every byte of a name of small letters has these bits. Some byte of any other has not; beyond ASCII it is the second of a character. */
const SMALL_LETTERS = 0x60;
/** What a spelling may begin with instead of its first letter: `_`, `-`, and an escape. */
const ODD_STARTS: readonly number[] = [...Buffer.from('_-\\')];
const HARMLESS_MAX = 512;
const HARMLESS_LENGTH_MAX = 40;
const SHOWN_CHARACTERS = 100;

/** The bit of a name's last byte: of a letter, small or capital, its own; of all others the same. */
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
