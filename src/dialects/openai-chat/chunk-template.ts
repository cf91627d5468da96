/**
 * The chunks of a stream are the same but for one piece of text, and OpenAI's `obfuscation` behind it.
 * A template learns one chunk and then tells, by comparing bytes, whether another is like it:
 * what was found out about the first then holds for the second, and neither is read as JSON.
 * It never guesses: a byte that differs elsewhere, or an escape it does not know, is no match.
 */
import { FieldCursor } from './field-cursor.ts';

export class ChunkTemplate {
  /** Of the last chunk that matched: its text between the quotes. */
  textStart = 0;
  textEnd = 0;
  /** The length of that text as UTF-8 once its escapes are undone. */
  textBytes = 0;
  /** Of the last chunk that matched: its obfuscation between the quotes; both are -1 where there is none. */
  paddingStart = -1;
  paddingEnd = -1;
  /** The constant parts of the learned chunk: before the text, behind it, and behind the padding. */
  #head: Buffer = NOTHING;
  #middle: Buffer = NOTHING;
  #tail: Buffer | null = null;
  #allowance = FIRST_ALLOWANCE;
  readonly #cursor = new FieldCursor();

  /** Whether these bytes are like the learned chunk; the positions above are set when they are. */
  match(bytes: Buffer): boolean {
    if (!this.#isLike(bytes)) return false;
    if (this.#allowance < ALLOWANCE_MAX) this.#allowance += 1;
    return true;
  }

  /**
   * Learns the chunk whose object lies at `bytes[start, end)`. Says no when it has no text, or when learning
   * has not paid so far: a stream whose chunks differ everywhere is not to be learned at each of them.
   */
  learn(bytes: Buffer, start: number, end: number): boolean {
    if (this.#allowance === 0) return false;
    this.#allowance -= 1;
    this.#head = NOTHING;
    if (!this.#findText(bytes, start, end)) return false;
    // Copies, because the piece of network data that a chunk is a view of is not to be kept.
    const middleEnd = this.paddingStart === -1 ? bytes.length : this.paddingStart;
    this.#head = Buffer.from(bytes.subarray(0, this.textStart));
    this.#middle = Buffer.from(bytes.subarray(this.textEnd, middleEnd));
    this.#tail = this.paddingStart === -1 ? null : Buffer.from(bytes.subarray(this.paddingEnd));
    if (this.#isLike(bytes)) return true;
    this.forget();
    return false;
  }

  /** Nothing matches until the next chunk is learned. */
  forget(): void {
    this.#head = NOTHING;
  }

  #isLike(bytes: Buffer): boolean {
    if (this.#head.length === 0 || !holdsAt(bytes, 0, this.#head)) return false;
    this.textStart = this.#head.length;
    this.textEnd = this.#readText(bytes, this.textStart);
    if (this.textEnd === -1 || !holdsAt(bytes, this.textEnd, this.#middle)) return false;
    const end = this.textEnd + this.#middle.length;
    if (this.#tail === null) {
      if (end !== bytes.length) return false;
    } else {
      this.paddingStart = end;
      this.paddingEnd = bytes.indexOf(QUOTE, end);
      if (this.paddingEnd + this.#tail.length !== bytes.length || !isPlain(bytes, end, this.paddingEnd)) return false;
      if (!holdsAt(bytes, this.paddingEnd, this.#tail)) return false;
    }
    return true;
  }

  #findText(bytes: Buffer, start: number, end: number): boolean {
    const cursor = this.#cursor;
    let choicesStart = -1;
    let choicesEnd = -1;
    this.paddingStart = -1;
    this.paddingEnd = -1;
    cursor.open(bytes, start, end);
    while (cursor.next()) {
      if (cursor.keyIs(CHOICES) && bytes[cursor.valueStart] === OPEN_BRACKET) {
        choicesStart = cursor.valueStart;
        choicesEnd = cursor.valueEnd;
      } else if (cursor.keyIs(OBFUSCATION) && bytes[cursor.valueStart] === QUOTE && choicesStart !== -1) {
        this.paddingStart = cursor.valueStart + 1;
        this.paddingEnd = cursor.valueEnd - 1;
      }
    }
    if (cursor.broken || choicesStart === -1) return false;
    if (!this.#enter(bytes, choicesStart + 1, choicesEnd - 1, DELTA)) return false;
    const { valueStart, valueEnd } = cursor;
    return TEXTS.some((name) => this.#findIn(bytes, valueStart, valueEnd, name));
  }

  #findIn(bytes: Buffer, start: number, end: number, name: Buffer): boolean {
    if (!this.#enter(bytes, start, end, name) || bytes[this.#cursor.valueStart] !== QUOTE) return false;
    this.textStart = this.#cursor.valueStart + 1;
    this.textEnd = this.#cursor.valueEnd - 1;
    return this.textEnd > this.textStart;
  }

  /** Moves the cursor to a field of the object at `start`. */
  #enter(bytes: Buffer, start: number, end: number, name: Buffer): boolean {
    this.#cursor.open(bytes, start, end);
    while (this.#cursor.next()) if (this.#cursor.keyIs(name)) return true;
    return false;
  }

  /** Where the text ends, or -1 where only a JSON parser can tell what it says. */
  #readText(bytes: Buffer, start: number): number {
    let at = start;
    let escapes = 0;
    while (at < bytes.length) {
      const byte = bytes[at] as number;
      if (byte === QUOTE) {
        this.textBytes = at - start - escapes;
        return at;
      }
      if (byte < 0x20) return -1;
      if (byte === BACKSLASH) {
        if (SIMPLE_ESCAPES[bytes[at + 1] as number] !== 1) return -1;
        escapes += 1;
        at += 1;
      }
      at += 1;
    }
    return -1;
  }
}

const NOTHING = Buffer.alloc(0);
const CHOICES = Buffer.from('"choices"');
const DELTA = Buffer.from('"delta"');
const OBFUSCATION = Buffer.from('"obfuscation"');
const TEXTS: readonly Buffer[] = [
  Buffer.from('"content"'),
  Buffer.from('"reasoning_content"'),
  Buffer.from('"reasoning"'),
];
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
/** Escapes that stand for one byte; by the byte behind the backslash. */
const SIMPLE_ESCAPES = new Uint8Array(256);
for (const letter of '"\\/bfnrt') SIMPLE_ESCAPES[letter.charCodeAt(0)] = 1;

/** How many chunks may be learned before one has matched, and how many at most after any number of matches. */
const FIRST_ALLOWANCE = 4;
const ALLOWANCE_MAX = 8;
/** Up to here a loop is cheaper than a call into the runtime. */
const LOOP_BYTES_MAX = 48;

function holdsAt(bytes: Buffer, at: number, part: Buffer): boolean {
  const end = at + part.length;
  if (end > bytes.length) return false;
  if (part.length > LOOP_BYTES_MAX) return bytes.compare(part, 0, part.length, at, end) === 0;
  for (let index = 0; index < part.length; index += 1) if (bytes[at + index] !== part[index]) return false;
  return true;
}

function isPlain(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at] as number;
    if (byte < 0x20 || byte === BACKSLASH) return false;
  }
  return true;
}
