/** Reads single values of a scanned document; the scan has found where they are. */
import { isAscii } from 'node:buffer';
import { assert } from '../core/assert.ts';
import { GatewayError } from '../core/errors.ts';
import type { JsonDocument, JsonField } from './json-document.ts';
import { isSpace } from './json-grammar.ts';
import { findLargeTexts, type NumbersApart, parseAround, type Span } from './large-texts.ts';

/**
 * The value as JavaScript has it. Throws `invalid_json` for what the scan does not check inside strings. Numbers become doubles: what must
 * stay exact is read as bytes.
 */
export function readValue(document: JsonDocument, field: JsonField): unknown {
  try {
    return JSON.parse(document.bytes.toString('utf8', field.valueStart, field.valueEnd));
  } catch (cause) {
    throw new GatewayError('invalid_json', {
      message: `The request body is not valid JSON: the value at byte ${field.valueStart} has an escape or a byte that JSON does not allow.`,
      cause,
    });
  }
}

/** The whole document as JavaScript has it, except for `numbers`, if given. Throws `invalid_json` as `readValue` does. */
export function readDocument(document: JsonDocument, numbers: NumbersApart | null = null): unknown {
  const known = prepared.get(document) ?? textOf(document.bytes);
  prepared.delete(document);
  try {
    if (numbers !== null && numbers.spans.length > 0)
      return parseAround(document.bytes, typeof known === 'string' ? [] : known, numbers);
    return typeof known === 'string' ? JSON.parse(known) : parseAround(document.bytes, known);
  } catch (cause) {
    throw new GatewayError('invalid_json', {
      message: 'The request body is not valid JSON: a string in it has an escape or a byte that JSON does not allow.',
      cause,
    });
  }
}

/**
 * The first half of `readDocument`'s work, for large documents, so that other calls can run before the rest. Returns the total length of
 * the large strings (inline media), in bytes.
 */
export function prepareDocument(document: JsonDocument): number {
  const large = findLargeTexts(document.bytes);
  prepared.set(document, large.length > 0 ? large : textOf(document.bytes));
  let bytes = 0;
  for (const { start, end } of large) bytes += end - start;
  return bytes;
}

/** Where the large strings are; for a document without any, its text. */
const prepared = new WeakMap<JsonDocument, string | readonly Span[]>();

/** Nearly all large bodies are ASCII, because of base 64; reading them as Latin 1 takes half the time. */
function textOf(bytes: Buffer): string {
  return bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8');
}

/** The text of a field of type `string`. */
export function readString(document: JsonDocument, field: JsonField): string {
  assert(field.type === 'string', 'the type is checked before the value is read');
  return readValue(document, field) as string;
}

/**
 * Whether a field of type `array` has no elements; they are not parsed. An array that begins with an absurd amount of white space counts as
 * not empty, so that megabytes of it are not read.
 */
export function arrayIsEmpty(document: JsonDocument, field: JsonField): boolean {
  assert(field.type === 'array', 'the type is checked before the value is read');
  let at = field.valueStart + 1;
  const stop = at + SPACE_BYTES_MAX;
  while (at < stop && isSpace(document.bytes[at] as number)) at++;
  return at === field.valueEnd - 1;
}

const SPACE_BYTES_MAX = 16 * 1024;
