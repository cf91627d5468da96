/**
 * By how many bytes a text may grow when a tokenizer normalises it. A tokenizer that works on bytes makes at most one token per byte; but
 * some convert the text to NFC or NFKC first, and then a character of 3 bytes may become 33 (U+FDFA). Most characters do not grow.
 *
 * https://unicode.org/reports/tr15/
 */
import { isAscii } from 'node:buffer';

/** An upper bound of how many bytes `bytes` (JSON, with its escapes) grows by in NFC or NFKC. */
export function normalisedGrowth(bytes: Buffer): number {
  return new GrowthCounter().finish(bytes, bytes.length);
}

/**
 * The same for a body as it arrives: each piece is read once, so that no turn of the event loop reads much. Text longer than any context
 * window is not read character by character; the worst case is assumed.
 */
export class GrowthCounter {
  #growth = 0;
  #at = 0;
  #looked = 0;

  /** Reads what is new in `bytes[0, filled)`, except for the last few bytes, in which an escape may have begun. */
  feed(bytes: Buffer, filled: number): void {
    this.#lookTo(bytes, filled - ESCAPE_BYTES);
  }

  /** Reads the rest, returns the bound, and resets the counter. */
  finish(bytes: Buffer, filled: number): number {
    this.#lookTo(bytes, filled);
    const growth = this.#growth;
    this.#growth = this.#at = this.#looked = 0;
    return growth;
  }

  #lookTo(bytes: Buffer, end: number): void {
    while (this.#at < end) this.#at = this.#step(bytes, this.#at, Math.min(this.#at + STEP_BYTES, end));
  }

  /** Returns where the next step begins: where the last escape or character of this one ends. */
  #step(bytes: Buffer, start: number, end: number): number {
    // Including one more byte: an escape belongs to the step with its backslash.
    if (bytes[end - 1] !== BACKSLASH && isPlain(bytes.subarray(start, end + 1))) return end;
    this.#looked += end - start;
    if (this.#looked > LOOKED_BYTES_MAX) {
      this.#growth += (end - start) * WORST_GROWTH;
      return end;
    }
    let at = start;
    for (; at < end; at += 1) {
      const byte = bytes[at] as number;
      // Nearly all bytes: ASCII letters, and continuation bytes.
      if (byte < 0xc2 && byte !== BACKSLASH) continue;
      if (byte === BACKSLASH) {
        const next = bytes[at + 1];
        if (next === LETTER_U) this.#growth += growthAt(Number.parseInt(bytes.toString('latin1', at + 2, at + 6), 16));
        // The byte after a backslash cannot begin a character that grows.
        at += 1;
      } else this.#growth += growthAt(codePointAt(bytes, at, byte));
    }
    return at;
  }
}

/** U+FDFA: 30 bytes more than its 3. */
export const WORST_GROWTH = 10;

const STEP_BYTES = 64 * 1024;
const LOOKED_BYTES_MAX = 2 * 1024 * 1024;
const ESCAPE = Buffer.from('\\u');
/** `\\u0000`; no character is longer. */
const ESCAPE_BYTES = 6;
const BACKSLASH = 0x5c;
const LETTER_U = 0x75;

/** Characters below 128 do not change in any form. */
function isPlain(bytes: Buffer): boolean {
  return isAscii(bytes) && !bytes.includes(ESCAPE);
}

function codePointAt(bytes: Buffer, at: number, first: number): number {
  // The body is valid UTF-8, so the continuation bytes are there.
  const second = (bytes[at + 1] as number) & 0x3f;
  if (first < 0xe0) return ((first & 0x1f) << 6) | second;
  const third = (bytes[at + 2] as number) & 0x3f;
  if (first < 0xf0) return ((first & 0x0f) << 12) | (second << 6) | third;
  return ((first & 0x07) << 18) | (second << 12) | (third << 6) | ((bytes[at + 3] as number) & 0x3f);
}

function growthAt(codePoint: number): number {
  return codePoint < GROWTH.length ? (GROWTH[codePoint] as number) : 0;
}

/** Ranges in which some character grows, with the most that any of them grows. The test compares them with the runtime's Unicode. */
const RANGES: readonly (readonly [first: number, last: number, growth: number])[] = [
  [0xa8, 0xbe, 3],
  [0x13f, 0x149, 1],
  [0x1c4, 0x1c6, 1],
  [0x2d8, 0x2dd, 1],
  // Marks that separate a letter from another mark, so that the two cannot be composed.
  [0x300, 0x36f, 5],
  [0x37a, 0x385, 3],
  [0x587, 0x587, 2],
  [0x675, 0x678, 2],
  [0x958, 0x95f, 3],
  [0x9dc, 0x9df, 3],
  [0xa33, 0xa36, 3],
  [0xa59, 0xa5e, 3],
  [0xb5c, 0xb5d, 3],
  [0xe33, 0xe33, 3],
  [0xeb3, 0xeb3, 3],
  [0xedc, 0xedd, 3],
  [0xf43, 0xf81, 6],
  [0xf93, 0xfb9, 3],
  [0x1fc1, 0x1fee, 2],
  [0x2033, 0x2037, 6],
  [0x2057, 0x2057, 9],
  [0x2150, 0x2177, 3],
  [0x2189, 0x2189, 2],
  [0x222c, 0x2230, 6],
  [0x247d, 0x2487, 1],
  [0x2a0c, 0x2a0c, 9],
  [0x2adc, 0x2adc, 2],
  [0x309b, 0x309f, 3],
  [0x30ff, 0x30ff, 3],
  [0x3200, 0x3243, 5],
  [0x327c, 0x327d, 3],
  [0x32c0, 0x32cb, 2],
  [0x32ff, 0x3389, 15],
  [0x33a7, 0x33af, 5],
  [0x33c2, 0x33c6, 3],
  [0x33d8, 0x33fe, 2],
  [0xfa6c, 0xfa6c, 1],
  [0xfacf, 0xfad7, 1],
  [0xfb13, 0xfb4f, 3],
  [0xfbdd, 0xfd3d, 3],
  [0xfd50, 0xfdc7, 3],
  [0xfdf0, 0xfdfc, 30],
  [0xfe71, 0xfe7f, 1],
  [0xfef5, 0xfefc, 1],
  [0x1d15e, 0x1d164, 8],
  [0x1d1bb, 0x1d1c0, 8],
  [0x1f12a, 0x1f12a, 3],
  [0x1f200, 0x1f201, 2],
  [0x1f240, 0x1f248, 5],
];

const GROWTH = new Uint8Array(0x1f249);
for (const [first, last, growth] of RANGES) GROWTH.fill(growth, first, last + 1);
