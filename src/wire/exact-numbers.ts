/**
 * Numbers that a double does not hold. `JSON.parse` rounds them without a word, so where a value is passed on they are
 * kept as the digits they were written with: as a raw value, which `JSON.stringify` writes out again, digit by digit.
 * Texts without a number of 16 digits or an exponent, which is nearly all of them, are parsed as ever.
 *
 * https://github.com/tc39/proposal-json-parse-with-source
 */
import { GatewayError } from '../core/errors.ts';
import { skipString } from './json-grammar.ts';
import { type JsonDocument, readDocument } from './json-scan.ts';

/** Parsing with digits costs about a microsecond a value; with more of them, other calls would wait. */
export const EXACT_VALUES_MAX = 100_000;

/** What is known of JSON bytes before they are parsed. */
export type NumberSurvey = 'plain' | 'long' | 'too_many';

/** `long`: a number may need its digits. `too_many`: likewise, among more values than `EXACT_VALUES_MAX`. Strings are skipped. */
export function surveyNumbers(bytes: Buffer): NumberSurvey {
  let values = 1;
  let hasLong = false;
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
      hasLong ||= isDigit(byte) || byte === MINUS ? mayBeLong(bytes, start, at) : false;
    } else {
      if (byte === COMMA || byte === COLON) values += 1;
      at += 1;
    }
  }
  if (!hasLong) return 'plain';
  return values > EXACT_VALUES_MAX ? 'too_many' : 'long';
}

/** As `JSON.parse`, which it throws like, with raw values for the numbers that it would change. */
export function parseExactly(text: string): unknown {
  return json.parse(text, (_name, value, { source }) =>
    typeof value === 'number' && source !== undefined && !holds(value, source) ? json.rawJSON(source) : value,
  );
}

/** As `readDocument`, exactly. Throws `invalid_value` where so many values stand beside a long number that it cannot be kept. */
export function readDocumentExactly(document: JsonDocument): unknown {
  const value = readDocument(document);
  const survey = surveyNumbers(document.bytes);
  if (survey === 'plain') return value;
  if (survey === 'long') return parseExactly(document.bytes.toString());
  throw new GatewayError('invalid_value', {
    message:
      'A number of this request has more digits than can be passed on among so many values: ' +
      `it is translated, with at most ${EXACT_VALUES_MAX} values beside such a number.`,
  });
}

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
  parse(
    text: string,
    reviver: (name: string, value: unknown, context: { readonly source?: string }) => unknown,
  ): unknown;
  rawJSON(text: string): object;
  isRawJSON(value: unknown): boolean;
}
const json = JSON as unknown as JsonWithSource;

/** Whether the double writes the same number: digits without leading and closing zeros, and where the point stands. */
function holds(value: number, source: string): boolean {
  if (source.length < LONG_LENGTH && !EXPONENT.test(source)) return true;
  return Number.isFinite(value) && plainForm(String(value)) === plainForm(source);
}

const LONG_LENGTH = 16;
const EXPONENT = /e/i;

function plainForm(number: string): string {
  const [, whole = '', fraction = '', exponent = '0'] = /^-?(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(number) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return '0';
  const power = Number(exponent) - fraction.length + (digits.length - significant.length);
  return `${significant}e${power}`;
}

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
const COMMA = 0x2c;
const MINUS = 0x2d;
const POINT = 0x2e;
const COLON = 0x3a;
const LETTER_E = 0x65;
const LOWER_CASE = 0x20;
