/** Goal: a request's values are read correctly, and each error names its field. Method: every kind of value, with each reader. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GatewayError } from '../../../core/errors.ts';
import { readDocumentExactly } from '../../../wire/exact-numbers.ts';
import { scanJson } from '../../../wire/json-scan.ts';
import * as values from './request-values.ts';

const LONG = '123456789012345678901234567890';

/** The values as a request has them, a long number among them. */
function parsed(json: string): unknown {
  return (readDocumentExactly(scanJson(Buffer.from(`{"value":${json}}`))) as { readonly value: unknown }).value;
}

function fault(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    assert.ok(error instanceof GatewayError);
    return `${error.code} ${error.param}: ${error.message}`;
  }
  return 'none';
}

test('an absent value has the wrong type for `read…`, and is missing for `require…`', () => {
  for (const absent of [undefined, null]) {
    assert.equal(
      fault(() => values.readObject(absent, 'a.b')),
      'invalid_value a.b: "a.b" must be an object.',
    );
    assert.equal(
      fault(() => values.readList(absent, 'a')),
      'invalid_value a: "a" must be an array.',
    );
    assert.equal(
      fault(() => values.readText(absent, 'a')),
      'invalid_value a: "a" must be a string.',
    );
    for (const read of [values.requireObject, values.requireList, values.requireText, values.requireName]) {
      assert.equal(
        fault(() => read(absent, 'a')),
        'missing_field a: The field "a" is required.',
      );
    }
    assert.deepEqual(values.readListOrEmpty(absent, 'a'), []);
    for (const read of [
      values.readTextOrNull,
      values.readFlagOrNull,
      values.readNumberOrNull,
      values.readWholeOrNull,
    ]) {
      assert.equal(read(absent, 'a'), null);
    }
  }
});

test('a number with more digits than a double holds is a number, not an object', () => {
  const long = parsed(LONG);
  assert.equal(values.isRecord(long), false);
  assert.equal(
    fault(() => values.requireObject(long, 'a')),
    'invalid_value a: "a" must be an object.',
  );
  assert.equal(values.readNumberOrNull(long, 'a'), Number(LONG));
  assert.equal(
    fault(() => values.readCountOrNull(long, 'a')),
    'invalid_value a: "a" must be a whole number of at least 0.',
  );
  assert.match(
    fault(() => values.readNumberOrNull(parsed('1e999'), 'a')),
    /must be a number\.$/,
  );
});

test('a name must not be empty, a number must be in its range, and a word must be a known one', () => {
  assert.equal(
    fault(() => values.readName('', 'a')),
    'invalid_value a: "a" must not be empty.',
  );
  assert.equal(
    fault(() => values.readNumberWithin(3, 'a', 0, 2)),
    'invalid_value a: "a" must be a number from 0 to 2.',
  );
  assert.equal(values.readNumberWithin(2, 'a', 0, 2), 2);
  assert.equal(
    fault(() => values.readWord('C', 'a', ['A', 'B'])),
    'invalid_value a: "a" must be one of A, B.',
  );
  assert.equal(values.readWordOrNull('B', 'a', ['A', 'B']), 'B');
});

test('an unknown field is listed if it has a meaningful value', () => {
  const fields = { known: 1, none: null, off: false, list: [], object: {}, on: true, zero: 0, text: '' };
  assert.deepEqual(values.unknownFields(fields, new Set(['known'])), ['on', 'zero', 'text']);
});
