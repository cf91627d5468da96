/**
 * Numbers that a double does not hold. `JSON.parse` rounds them without a word, so where a value is passed on they are
 * kept as the digits they were written with: as a raw value, which `JSON.stringify` writes out again, digit by digit.
 * Texts without a number of 16 digits or an exponent, which is nearly all of them, are parsed as ever.
 *
 * https://github.com/tc39/proposal-json-parse-with-source
 */
import { GatewayError } from '../core/errors.ts';
import type { JsonDocument } from './json-document.ts';
import { skipString } from './json-grammar.ts';
import { readDocument } from './json-read.ts';
import { parseAround, type Span } from './large-texts.ts';

/** Each is a value of its own to read and to write; with more of them, other calls would wait. */
export const LONG_NUMBERS_MAX = 10_000;

/** Nobody writes a longer one; its digits would have to be looked at several times. */
const NUMBER_LENGTH_MAX = 4096;

/**
 * Where the numbers are that may need their digits: of 16 characters or more, or with an exponent. Null where they cannot all be
 * kept: there are too many, or one is too long. Strings are skipped.
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
 * As `JSON.parse`, which it throws like, with raw values for those of `numbers` (`findLongNumbers`) that it would change. The
 * document is no deeper than a request may be.
 */
export function parseExactly(bytes: Buffer, numbers: readonly Span[]): unknown {
  return parseAround(bytes, NO_SPANS, { spans: numbers, read: readNumber });
}

/** As `readDocument`, exactly. Throws `invalid_value` where there are so many long numbers that they cannot be kept. */
export function readDocumentExactly(document: JsonDocument): unknown {
  const numbers = findLongNumbers(document.bytes);
  if (numbers !== null) return readDocument(document, { spans: numbers, read: readNumber });
  throw new GatewayError('invalid_value', {
    message: `This request has more than ${LONG_NUMBERS_MAX} numbers of 16 characters or more, or one of more than ${NUMBER_LENGTH_MAX}, which is the most that is translated with all their digits.`,
  });
}

/** Throws `SyntaxError` for what is no number. */
function readNumber(source: string): unknown {
  const value = JSON.parse(source) as number;
  return holds(value, source) ? value : json.rawJSON(source);
}

const NO_SPANS: Span[] = [];

/** The nearest double of a raw value; anything else as it is. */
export function rounded(value: unknown): unknown {
  return isExact(value) ? Number(JSON.stringify(value)) : value;
}

/** Whether it is a number that was kept as its digits. */
export function isExact(value: unknown): boolean {
  return json.isRawJSON(value);
}

/** TypeScript does not know of this part of `JSON` yet. */
interface JsonWithSource {
  rawJSON(text: string): object;
  isRawJSON(value: unknown): boolean;
}
const json = JSON as unknown as JsonWithSource;

/** Whether the double writes the same number: the same digits, and the point in the same place. */
function holds(value: number, source: string): boolean {
  if (source.length < LONG_LENGTH && !EXPONENT.test(source)) return true;
  if (!Number.isFinite(value)) return false;
  const given = decimalOf(source);
  const kept = decimalOf(String(value));
  return given !== null && given.digits === kept?.digits && given.power === kept.power;
}

const LONG_LENGTH = 16;
const EXPONENT = /e/i;
/** As many as it takes to write any double. */
const DIGITS_MAX = 17;

/** 0.<digits> times ten to the power of `power`; no digits for zero. */
interface Decimal {
  readonly digits: string;
  readonly power: number;
}

/** Of a number as JSON writes it, without its sign; null where it has more digits than any double. Each character is looked at once. */
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
