/**
 * Most frames of a stream are equal except for one piece of text, sometimes padding after it, and sometimes a number that counts the frames.
 * A template learns one and then finds out,
 * by comparing bytes, whether another is like it: what is known about the first is then true of the second, without reading it as JSON. It
 * never guesses: a byte that differs elsewhere, or an unknown escape, is no match.
 */
export class TextTemplate {
  /** In the last bytes that matched: the text between the quotes. */
  textStart = 0;
  textEnd = 0;
  /** The length of that text as UTF-8, unescaped. */
  textBytes = 0;
  /** Whether that text is all ASCII, and whether it escapes only what it must. */
  isAscii = true;
  isCanonical = true;
  /** In the last bytes that matched: the padding between the quotes; both are -1 if there is none. */
  paddingStart = -1;
  paddingEnd = -1;
  /** The constant parts of the learned frame: before the text, after it, and after the padding. */
  #head: Buffer = NOTHING;
  #middle: Buffer = NOTHING;
  #tail: Buffer | null = null;
  /** Which of those the number is in, and what follows it there; the part itself then ends before the number. */
  #numbered: Part = NONE;
  #afterNumber: Buffer = NOTHING;
  #allowance = FIRST_ALLOWANCE;
  readonly #find: FindText;
  readonly #paddingBytesMax: number;

  /** Frames with more padding than `paddingBytesMax` never match: that padding must be checked. */
  constructor(find: FindText, paddingBytesMax = Number.POSITIVE_INFINITY) {
    this.#find = find;
    this.#paddingBytesMax = paddingBytesMax;
  }

  /** Whether these bytes are like the learned frame; if so, the positions above are set. */
  match(bytes: Buffer): boolean {
    if (!this.#isLike(bytes)) return false;
    if (this.#allowance < ALLOWANCE_MAX) this.#allowance += 1;
    return true;
  }

  /**
   * Learns bytes with a JSON object at `bytes[start, end)`. Returns false if it has no text, or if learning has not paid off so far: in a
   * stream of frames that all differ, not every frame should be learned.
   */
  learn(bytes: Buffer, start: number, end: number): boolean {
    if (this.#allowance === 0) return false;
    this.#allowance -= 1;
    this.#head = NOTHING;
    const found = this.#find(bytes, start, end);
    if (found === null) return false;
    const { textStart, textEnd, paddingStart, paddingEnd, numberStart = -1, numberEnd = -1 } = found;
    this.paddingStart = paddingStart;
    this.paddingEnd = paddingEnd;
    this.#numbered = NONE;
    const part = (which: Part, from: number, to: number): Buffer => {
      // Copies, so that the network buffer that a frame is a view of can be freed.
      if (numberStart < from || numberEnd > to) return Buffer.from(bytes.subarray(from, to));
      this.#numbered = which;
      this.#afterNumber = Buffer.from(bytes.subarray(numberEnd, to));
      return Buffer.from(bytes.subarray(from, numberStart));
    };
    this.#head = part(HEAD, 0, textStart);
    this.#middle = part(MIDDLE, textEnd, paddingStart === -1 ? bytes.length : paddingStart);
    this.#tail = paddingStart === -1 ? null : part(TAIL, paddingEnd, bytes.length);
    if (this.#isLike(bytes)) return true;
    this.forget();
    return false;
  }

  /** Whether a number differs in each frame: then only what stands before it has a constant position. */
  get isNumbered(): boolean {
    return this.#numbered !== NONE;
  }

  /** Nothing matches until the next frame is learned. */
  forget(): void {
    this.#head = NOTHING;
  }

  #isLike(bytes: Buffer): boolean {
    if (this.#head.length === 0 || !holdsAt(bytes, 0, this.#head)) return false;
    this.textStart = this.#numbered === HEAD ? this.#skipNumber(bytes, this.#head.length) : this.#head.length;
    if (this.textStart === -1) return false;
    this.textEnd = this.#readText(bytes, this.textStart);
    if (this.textEnd === -1 || !holdsAt(bytes, this.textEnd, this.#middle)) return false;
    let end = this.textEnd + this.#middle.length;
    if (this.#numbered === MIDDLE) end = this.#skipNumber(bytes, end);
    if (end === -1) return false;
    if (this.#tail === null) {
      if (end !== bytes.length) return false;
    } else {
      this.paddingStart = end;
      this.paddingEnd = bytes.indexOf(QUOTE, end);
      if (this.paddingEnd === -1 || !isPlain(bytes, end, this.paddingEnd)) return false;
      if (this.paddingEnd - end > this.#paddingBytesMax || !holdsAt(bytes, this.paddingEnd, this.#tail)) return false;
      const last = this.paddingEnd + this.#tail.length;
      if ((this.#numbered === TAIL ? this.#skipNumber(bytes, last) : last) !== bytes.length) return false;
    }
    return true;
  }

  /** Where what follows the number at `start` ends; -1 if there is no number, or something else follows it. */
  #skipNumber(bytes: Buffer, start: number): number {
    let at = start;
    while (isDigit(bytes[at] as number)) at += 1;
    if (at === start || at - start > DIGITS_MAX || !holdsAt(bytes, at, this.#afterNumber)) return -1;
    return at + this.#afterNumber.length;
  }

  /** Where the text ends, or -1 if only a JSON parser can read it. */
  #readText(bytes: Buffer, start: number): number {
    let at = start;
    let escapes = 0;
    let bits = 0;
    this.isCanonical = true;
    while (at < bytes.length) {
      const byte = bytes[at] as number;
      if (byte === QUOTE) {
        this.textBytes = at - start - escapes;
        this.isAscii = bits < 0x80;
        return at;
      }
      if (byte < 0x20) return -1;
      bits |= byte;
      if (byte === BACKSLASH) {
        const escaped = bytes[at + 1] as number;
        if (SIMPLE_ESCAPES[escaped] !== 1) return -1;
        if (escaped === SLASH) this.isCanonical = false;
        escapes += 1;
        at += 1;
      }
      at += 1;
    }
    return -1;
  }
}

/** Where a frame's text is, between its quotes, and its padding: -1 if there is none. */
export interface FoundText {
  readonly textStart: number;
  readonly textEnd: number;
  readonly paddingStart: number;
  readonly paddingEnd: number;
  /** Digits outside both that are different in each frame; absent if there are none. */
  readonly numberStart?: number;
  readonly numberEnd?: number;
}

/** Finds the text of the JSON object at `bytes[start, end)`; null if it has none. */
export type FindText = (bytes: Buffer, start: number, end: number) => FoundText | null;

type Part = typeof NONE | typeof HEAD | typeof MIDDLE | typeof TAIL;
const NONE = 0;
const HEAD = 1;
const MIDDLE = 2;
const TAIL = 3;
/** No stream has as many frames. */
const DIGITS_MAX = 15;

const NOTHING = Buffer.alloc(0);
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SLASH = 0x2f;
/** Escapes for a single byte; by the byte after the backslash. */
const SIMPLE_ESCAPES = new Uint8Array(256);
for (const letter of '"\\/bfnrt') SIMPLE_ESCAPES[letter.charCodeAt(0)] = 1;

/** How many frames may be learned before one has matched, and the maximum after any number of matches. */
const FIRST_ALLOWANCE = 4;
const ALLOWANCE_MAX = 8;
/** Up to this length a loop is cheaper than a call into the runtime. */
const LOOP_BYTES_MAX = 80;

function holdsAt(bytes: Buffer, at: number, part: Buffer): boolean {
  const end = at + part.length;
  if (end > bytes.length) return false;
  if (part.length > LOOP_BYTES_MAX) return bytes.compare(part, 0, part.length, at, end) === 0;
  for (let index = 0; index < part.length; index += 1) if (bytes[at + index] !== part[index]) return false;
  return true;
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}

function isPlain(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at] as number;
    if (byte < 0x20 || byte === BACKSLASH) return false;
  }
  return true;
}
