/**
 * Walks the fields of one JSON object in place, without parsing or allocating: values are skipped by their brackets and quotes. It does not
 * prove that the bytes are JSON; if it meets something that cannot be, it is `broken`, and the caller leaves the bytes as they are.
 */
import { isSpace, skipString } from './json-grammar.ts';

/** One cursor serves many objects, one after the other. */
export class FieldCursor {
  keyStart = 0;
  /** The byte after the key's closing quote. */
  keyEnd = 0;
  valueStart = 0;
  valueEnd = 0;
  /** Where the comma before this field is; -1 for the first field. */
  commaBefore = -1;
  /** Where the next field's key starts; -1 for the last field. */
  nextKey = -1;
  /** The byte after the object, once `next` has returned false. */
  objectEnd = 0;
  /** Whether the bytes turned out not to be an object; then no field seen so far can be trusted. */
  broken = false;
  #bytes: Buffer = EMPTY;
  #end = 0;
  #comma = -1;
  #at = 0;
  #knownKey = -1;
  #knownEnd = -1;

  /** Starts at the object at `start`, after any white space; nothing beyond `end` is read. */
  open(bytes: Buffer, start: number, end: number): void {
    this.#bytes = bytes;
    this.#end = end;
    this.broken = false;
    this.#comma = -1;
    this.#knownKey = -1;
    const brace = this.#skipSpace(start);
    if (bytes[brace] !== OPEN_BRACE || brace >= end) {
      this.broken = true;
      return;
    }
    const first = this.#skipSpace(brace + 1);
    if (first >= end) this.broken = true;
    else if (bytes[first] === CLOSE_BRACE) this.objectEnd = first + 1;
    this.#at = bytes[first] === CLOSE_BRACE ? -1 : first;
  }

  /** After `open`: the value of the field with its key at `keyStart` ends at `valueEnd`, so that it need not be searched for its end. */
  know(keyStart: number, valueEnd: number): void {
    this.#knownKey = keyStart;
    this.#knownEnd = valueEnd;
  }

  /** Moves to the next field; false when there is none, or when the bytes are broken. */
  next(): boolean {
    if (this.#at === -1 || this.broken) return false;
    const bytes = this.#bytes;
    this.keyStart = this.#at;
    this.commaBefore = this.#comma;
    if (bytes[this.keyStart] !== QUOTE) return this.#fail();
    this.keyEnd = skipString(bytes, this.keyStart + 1);
    if (this.keyEnd < 0) return this.#fail();
    let at = this.#skipSpace(this.keyEnd);
    if (bytes[at] !== COLON) return this.#fail();
    at = this.#skipSpace(at + 1);
    this.valueStart = at;
    this.valueEnd = this.keyStart === this.#knownKey ? this.#knownEnd : skipValue(bytes, at, this.#end);
    if (this.valueEnd === -1) return this.#fail();
    this.#findNext(this.valueEnd);
    return !this.broken;
  }

  /** Whether the current key is `name`, given with its quotes; one spelled with escapes is not found. */
  keyIs(name: Buffer): boolean {
    if (this.keyEnd - this.keyStart !== name.length) return false;
    for (let index = 1; index < name.length; index += 1) {
      if (this.#bytes[this.keyStart + index] !== name[index]) return false;
    }
    return true;
  }

  #findNext(valueEnd: number): void {
    const at = this.#skipSpace(valueEnd);
    if (at >= this.#end) {
      this.broken = true;
      this.#at = -1;
    } else if (this.#bytes[at] === COMMA) {
      this.#comma = at;
      this.#at = this.#skipSpace(at + 1);
    } else {
      this.broken = this.#bytes[at] !== CLOSE_BRACE;
      this.objectEnd = at + 1;
      this.#at = -1;
    }
    this.nextKey = this.#at;
  }

  #skipSpace(from: number): number {
    let at = from;
    while (at < this.#end && isSpace(this.#bytes[at] as number)) at += 1;
    return at;
  }

  #fail(): false {
    this.broken = true;
    return false;
  }
}

/** The byte after the value that starts at `start`; -1 when it does not end before `end`. */
function skipValue(bytes: Buffer, start: number, end: number): number {
  const first = bytes[start];
  if (first === QUOTE) return skipText(bytes, start, end);
  if (first === OPEN_BRACE || first === OPEN_BRACKET) return skipContainer(bytes, start, end);
  let at = start;
  while (at < end && !endsScalar(bytes[at] as number)) at += 1;
  return at === start || at >= end ? -1 : at;
}

const EMPTY = Buffer.alloc(0);
const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

function skipText(bytes: Buffer, start: number, end: number): number {
  const at = skipString(bytes, start + 1);
  return at < 0 || at > end ? -1 : at;
}

function skipContainer(bytes: Buffer, start: number, end: number): number {
  let depth = 0;
  let at = start;
  while (at < end) {
    const byte = bytes[at] as number;
    if (byte === QUOTE) {
      at = skipText(bytes, at, end);
      if (at === -1) return -1;
      continue;
    }
    at += 1;
    if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth += 1;
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  return -1;
}

function endsScalar(byte: number): boolean {
  return byte === COMMA || byte === CLOSE_BRACE || byte === CLOSE_BRACKET || isSpace(byte);
}
