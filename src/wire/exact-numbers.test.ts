/**
 * Goal: numbers keep their digits from one JSON text to the next, and texts without long ones are parsed as ever.
 * Method: tables of numbers, parsed and written again; bytes around the limits of the survey.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EXACT_VALUES_MAX, parseExactly, readDocumentExactly, rounded, surveyNumbers } from './exact-numbers.ts';
import { scanJson } from './json-scan.ts';

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

test('a number that a double does not hold is written with the digits it came with', () => {
  for (const digits of KEPT) {
    const text = `{"a":[${digits}],"__proto__":{"b":${digits}}}`;
    assert.equal(surveyNumbers(Buffer.from(text)), 'long', digits);
    assert.equal(JSON.stringify(parseExactly(text)), text);
  }
});

test('a number that a double holds is a number', () => {
  for (const digits of ['9007199254740992', '1e5', '1.50e1', '0.30000000000000004', '100000000000000000000', '0e9']) {
    assert.deepEqual(parseExactly(`[${digits}]`), [Number(digits)]);
  }
});

test('words, short numbers and digits inside strings are plain', () => {
  const text = '{"a":true,"b":false,"c":null,"d":-12.5,"e":"12345678901234567890 1e400 \\" 1e5","f":[1,2,3]}';
  assert.equal(surveyNumbers(Buffer.from(text)), 'plain');
});

test('a document is read with its digits, and refused where too many values stand beside them', () => {
  const read = readDocumentExactly(scanJson(Buffer.from('{"a":1e400,"b":"é"}')));
  assert.equal(JSON.stringify(read), '{"a":1e400,"b":"é"}');
  const many = Buffer.from(`{"a":[${'1,'.repeat(EXACT_VALUES_MAX)}1e400]}`);
  assert.equal(surveyNumbers(many), 'too_many');
  assert.throws(() => readDocumentExactly(scanJson(many)), { code: 'invalid_value' });
  const plain = Buffer.from(`{"a":[${'1,'.repeat(EXACT_VALUES_MAX)}1]}`);
  assert.equal(surveyNumbers(plain), 'plain');
});

test('where a number is only compared, the nearest double stands for it', () => {
  assert.equal(rounded(parseExactly('0.1234567890123456789')), 0.12345678901234568);
  assert.equal(rounded(parseExactly('1e400')), Infinity);
  assert.equal(rounded('1e400'), '1e400');
});
