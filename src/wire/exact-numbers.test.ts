/**
 * Goal: numbers keep their digits from one JSON text to the next, and texts without long numbers are parsed as usual.
 * Method: tables of numbers, parsed and written again; bytes around the limits of the search.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  findLongNumbers,
  LONG_NUMBERS_MAX,
  parseExactly as parse,
  readDocumentExactly,
  rounded,
} from './exact-numbers.ts';
import { prepareDocument } from './json-read.ts';
import { scanJson } from './json-scan.ts';

function parseExactly(text: string): unknown {
  const bytes = Buffer.from(text);
  return parse(bytes, findLongNumbers(bytes) ?? []);
}

const KEPT = [
  '12345678901234567890',
  '-9007199254740993',
  '9223372036854775807',
  '1e400',
  '-1E+400',
  '1e-400',
  '0.1234567890123456789',
  '1.0000000000000000001',
];

test('a number that a double cannot hold is written with its original digits', () => {
  for (const digits of KEPT) {
    const text = `{"a":[${digits}],"__proto__":{"b":${digits}}}`;
    assert.equal(findLongNumbers(Buffer.from(text))?.length, 2, digits);
    assert.equal(JSON.stringify(parseExactly(text)), text);
  }
});

test('a number that a double can hold is parsed as one', () => {
  for (const digits of ['9007199254740992', '1e5', '1.50e1', '0.30000000000000004', '100000000000000000000', '0e9']) {
    assert.deepEqual(parseExactly(`[${digits}]`), [Number(digits)]);
  }
});

test('a number of a few thousand digits is kept wherever its zeros are, and a longer one is refused', () => {
  const zeros = '0'.repeat(4_000);
  for (const digits of [
    `1${zeros}1`,
    `0.${zeros}1`,
    `1${zeros}.5`,
    `1.${zeros}1e-5`,
    `1e-${zeros}400`,
    '9'.repeat(4_000),
  ])
    assert.equal(JSON.stringify(parseExactly(`[${digits}]`)), `[${digits}]`);
  for (const digits of [`1.${zeros}`, `0.${zeros}`, `0.${zeros}1e4001`, `1e${zeros}1`, `100${zeros}e-4000`])
    assert.deepEqual(parseExactly(`[${digits}]`), [Number(digits)]);
  assert.equal(findLongNumbers(Buffer.from(`[1.${'0'.repeat(1_000_000)}1]`)), null);
});

test('digits are kept if, and only if, the double would be written with others', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), (number) => {
      // A double may be written with zeros for its last digits; as a whole number it has all of them.
      const shortest = JSON.stringify(Number(number)).replace(/^(-?\d)\.?(\d*)e\+(\d+)$/, (_, first, rest, power) =>
        `${first}${rest}`.padEnd(Number(power) + 1 + (first.length - 1), '0'),
      );
      const isKept = BigInt(shortest) !== number;
      assert.equal(JSON.stringify(parseExactly(`[${number}]`)), isKept ? `[${number}]` : `[${Number(number)}]`);
    }),
  );
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
      for (const text of [
        JSON.stringify(number),
        number.toExponential(),
        `${number.toExponential()}`.replace('e', '00E'),
      ])
        if (text.includes('.') || !/00E/.test(text)) assert.deepEqual(parseExactly(`[${text}]`), [Number(text)]);
    }),
  );
});

test('literals, short numbers and digits inside strings are parsed as usual', () => {
  const text = '{"a":true,"b":false,"c":null,"d":-12.5,"e":"12345678901234567890 1e400 \\" 1e5","f":[1,2,3]}';
  assert.deepEqual(findLongNumbers(Buffer.from(text)), []);
});

test('a document is read with its digits, and refused if it has too many long numbers', () => {
  const read = readDocumentExactly(scanJson(Buffer.from('{"a":1e400,"b":"é"}')));
  assert.equal(JSON.stringify(read), '{"a":1e400,"b":"é"}');
  const picture = 'iVBORw0KGgo+'.repeat(3_000);
  const both = `{"a":1e400,"picture":"${picture}","b":[12345678901234567890,{"c":"${picture}"},-1e-400]}`;
  const prepared = scanJson(Buffer.from(both));
  prepareDocument(prepared);
  assert.equal(JSON.stringify(readDocumentExactly(prepared)), both);
  const many = Buffer.from(`{"a":[${'1e400,'.repeat(LONG_NUMBERS_MAX)}1e400]}`);
  assert.equal(findLongNumbers(many), null);
  assert.throws(() => readDocumentExactly(scanJson(many)), { code: 'invalid_value' });
  const withRest = Buffer.from(`{"a":[${'1,'.repeat(200_000)}1e400]}`);
  assert.equal(JSON.stringify(readDocumentExactly(scanJson(withRest))), withRest.toString());
});

test('what only looks like a long number is still a syntax error', () => {
  for (const text of [
    '[01234567890123456789]',
    '[1e5e5]',
    '[-e12345678901234567]',
    '[1.2.3e4]',
    '[12345678901234567.]',
  ])
    assert.throws(() => parseExactly(text), SyntaxError, text);
});

test('a number that is only compared is rounded to the nearest double', () => {
  assert.equal(rounded(parseExactly('0.1234567890123456789')), 0.12345678901234568);
  assert.equal(rounded(parseExactly('1e400')), Infinity);
  assert.equal(rounded('1e400'), '1e400');
});
