/**
 * Numbers that a double cannot hold. `JSON.parse` rounds them silently, so when a value is passed on they keep their original digits as a
 * raw value, which `JSON.stringify` writes out unchanged. Texts without a number of 16 digits or an exponent, which is nearly all of them,
 * are parsed as usual.
 *
 * https://github.com/tc39/proposal-json-parse-with-source
 */
import { GatewayError } from '../core/errors.ts';
import type { JsonDocument } from './json-document.ts';
import { skipString } from './json-grammar.ts';
import { readDocument } from './json-read.ts';
import { parseAround, type Span } from './large-texts.ts';

/** Each is read and written separately; more of them would delay other calls. */
export const LONG_NUMBERS_MAX = 10_000;

/** Nobody writes a longer one, and its digits would be read several times. */
const NUMBER_LENGTH_MAX = 4096;

/**
 * Finds the numbers that may need their digits: those with 16 characters or more, or an exponent. Null if they cannot all be kept, because
 * there are too many or one is too long. Strings are skipped.
 */
export function findLongNumbers(bytes: Buffer): readonly Span[] | null {
  let found: Span[] = NO_SPANS;
  let at = 0;
  while (at < bytes.length) {
    const byte = bytes[at] as number;
    if (byte === QUOTE) {
      const end = skipString(bytes, at + 1);
      // An unclosed string is the parser's to refuse.
      at = end < 0 ? bytes.length : end;
    } else if (isInNumber(byte)) {
      const start = at;
      while (at < bytes.length && isInNumber(bytes[at] as number)) at += 1;
      // `true` and `false` have an e, but no digit before it.
      if (!(isDigit(byte) || byte === MINUS) || !mayBeLong(bytes, start, at)) continue;
      if (found.length === LONG_NUMBERS_MAX || at - start > NUMBER_LENGTH_MAX) return null;
      if (found === NO_SPANS) found = [];
      found.push({ start, end: at });
    } else at += 1;
  }
  return found;
}

/**
 * Like `JSON.parse`, with the same errors, but with raw values for those of `numbers` (from `findLongNumbers`) that it would change. The
 * document is no deeper than a request may be.
 */
export function parseExactly(bytes: Buffer, numbers: readonly Span[]): unknown {
  return parseAround(bytes, NO_SPANS, { spans: numbers, read: readNumber });
}

/** Like `readDocument`, with exact numbers. Throws `invalid_value` if there are too many long numbers to keep. */
export function readDocumentExactly(document: JsonDocument): unknown {
  const known = parsedAhead.get(document);
  if (known === undefined) return parseDocument(document);
  parsedAhead.delete(document);
  return known;
}

/** Parses a large document, so that other calls can run before the next `readDocumentExactly` of it. Throws as that does. */
export function parseAhead(document: JsonDocument): void {
  parsedAhead.set(document, parseDocument(document));
}

const parsedAhead = new WeakMap<JsonDocument, unknown>();

function parseDocument(document: JsonDocument): unknown {
  const numbers = findLongNumbers(document.bytes);
  if (numbers !== null) return readDocument(document, { spans: numbers, read: readNumber });
  throw new GatewayError('invalid_value', {
    message: `This request has more than ${LONG_NUMBERS_MAX} numbers of 16 characters or more, or one of more than ${NUMBER_LENGTH_MAX}, which is the most that is translated with all their digits.`,
  });
}

/** Throws `SyntaxError` for anything but a number. */
function readNumber(source: string): unknown {
  const value = JSON.parse(source) as number;
  return holds(value, source) ? value : json.rawJSON(source);
}

const NO_SPANS: Span[] = [];

/** The nearest double for a raw value; anything else unchanged. */
export function rounded(value: unknown): unknown {
  return isExact(value) ? Number(JSON.stringify(value)) : value;
}

/** Whether the value is a number that was kept as digits. */
export function isExact(value: unknown): boolean {
  return json.isRawJSON(value);
}

/** TypeScript does not have this part of `JSON` yet. */
interface JsonWithSource {
  rawJSON(text: string): object;
  isRawJSON(value: unknown): boolean;
}
const json = JSON as unknown as JsonWithSource;

/** Whether the double is written as the same number: the same digits, and the point in the same position. */
function holds(value: number, source: string): boolean {
  if (source.length < LONG_LENGTH && !EXPONENT.test(source)) return true;
  if (!Number.isFinite(value)) return false;
  const given = decimalOf(source);
  const kept = decimalOf(String(value));
  return given !== null && given.digits === kept?.digits && given.power === kept.power;
}

const LONG_LENGTH = 16;
const EXPONENT = /e/i;
/** Enough to write any double. */
const DIGITS_MAX = 17;

/** 0.<digits> × 10^power; no digits for zero. */
interface Decimal {
  readonly digits: string;
  readonly power: number;
}

/** Reads a number as JSON writes it, without its sign; null if it has more digits than any double. Reads each character once. */
function decimalOf(number: string): Decimal | null {
  let digits = '';
  let zeros = 0;
  let power = 0;
  let isFraction = false;
  for (let at = 0; at < number.length; at += 1) {
    const character = number.charCodeAt(at);
    if ((character | LOWER_CASE) === LETTER_E) {
      power += Number(number.slice(at + 1));
      break;
    }
    if (character === POINT) isFraction = true;
    if (!isDigit(character)) continue;
    const isLeadingZero = digits === '' && character === ZERO;
    if (isLeadingZero) power -= isFraction ? 1 : 0;
    else power += isFraction ? 0 : 1;
    if (isLeadingZero) continue;
    // Zeros count once another digit follows them.
    if (character === ZERO) zeros += 1;
    else if (digits.length + zeros >= DIGITS_MAX) return null;
    else {
      digits += '0'.repeat(zeros) + number.charAt(at);
      zeros = 0;
    }
  }
  return digits === '' ? NOUGHT : { digits, power };
}

const NOUGHT: Decimal = { digits: '', power: 0 };

function mayBeLong(bytes: Buffer, start: number, end: number): boolean {
  if (end - start >= LONG_LENGTH) return true;
  for (let at = start; at < end; at += 1) if (((bytes[at] as number) | LOWER_CASE) === LETTER_E) return true;
  return false;
}

function isInNumber(byte: number): boolean {
  return isDigit(byte) || byte === MINUS || byte === POINT || byte === PLUS || (byte | LOWER_CASE) === LETTER_E;
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}

const QUOTE = 0x22;
const PLUS = 0x2b;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const LETTER_E = 0x65;
const LOWER_CASE = 0x20;
