/**
 * Finds the last field of a name whose value is a text, at any depth of a body that is known to be JSON: where the latest turn of a
 * conversation is. Inside a string a quote has a backslash before it, so the name with both quotes is that of a field, or a whole string.
 */
import { isSpace, skipString } from '../../../wire/json-grammar.ts';

export interface FoundText {
  /** The end of the body that was searched. */
  readonly searched: Buffer;
  /** Where the name's quote is in it. */
  readonly keyStart: number;
  /** The value without its quotes, with its escapes; at most `VALUE_MAX` characters of it. */
  readonly value: string;
}

/** How much of the end of a body is searched, in bytes: the last turn, with the results of its tools. Some microseconds per 10 kB. */
const SEARCHED_MAX = 1024 * 1024;
/** The most fields of the name that are checked, the last first. */
const CHECKED_MAX = 8;
const VALUE_MAX = 4096;

/** `name` with its quotes. Null if there is none that is not empty and that `isOne` accepts. */
export function lastTextField(
  bytes: Buffer,
  name: Buffer,
  isOne: (found: FoundText) => boolean = () => true,
): FoundText | null {
  const searched = bytes.subarray(Math.max(0, bytes.length - SEARCHED_MAX));
  let at = searched.lastIndexOf(name);
  for (let count = 0; at !== -1 && count < CHECKED_MAX; count += 1) {
    const value = textAfter(searched, at + name.length);
    const found = value === null ? null : { searched, keyStart: at, value };
    if (found !== null && isOne(found)) return found;
    at = at === 0 ? -1 : searched.lastIndexOf(name, at - 1);
  }
  return null;
}

/**
 * The text of the field `name` in the last object that `objectAround` finds around a mark, the text of a value with its quotes. Null if there
 * is none that is not empty. `objectAround` gets the bytes and where the mark begins in them, and returns the object, or null.
 */
export function lastTextNear(
  bytes: Buffer,
  mark: Buffer,
  name: Buffer,
  objectAround: (searched: Buffer, at: number) => Buffer | null,
): FoundText | null {
  const searched = bytes.subarray(Math.max(0, bytes.length - SEARCHED_MAX));
  let at = searched.lastIndexOf(mark);
  for (let count = 0; at !== -1 && count < CHECKED_MAX; count += 1) {
    const object = objectAround(searched, at);
    const found = object === null ? null : lastTextField(object, name);
    if (found !== null) return { searched, keyStart: at, value: found.value };
    at = at === 0 ? -1 : searched.lastIndexOf(mark, at - 1);
  }
  return null;
}

/** Null if no colon and no text follow, or an empty one. */
function textAfter(bytes: Buffer, nameEnd: number): string | null {
  const colon = skipSpace(bytes, nameEnd);
  if (bytes[colon] !== COLON) return null;
  const start = skipSpace(bytes, colon + 1) + 1;
  if (bytes[start - 1] !== QUOTE || bytes[start] === QUOTE) return null;
  const limit = Math.min(bytes.length, start + VALUE_MAX);
  const end = skipString(bytes.subarray(0, limit), start);
  // Negative if the string goes on.
  return bytes.toString('latin1', start, end < 0 ? limit : end - 1);
}

function skipSpace(bytes: Buffer, from: number): number {
  let at = from;
  while (isSpace(bytes[at] as number)) at += 1;
  return at;
}

const COLON = 0x3a;
const QUOTE = 0x22;
