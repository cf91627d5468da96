/** Goal: each reader accepts its kind of JSON value only. Method: every kind of value, to each reader. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  asArray,
  asObject,
  asText,
  isObject,
  isWholeNumber,
  objectsOf,
  parseObject,
  parseOrNull,
  stringOf,
} from './json-object.ts';

const VALUES = [undefined, null, true, 0, 1.5, '', 'text', [], [1], {}, { a: 1 }] as const;

test('an object is neither null nor an array', () => {
  assert.deepEqual(VALUES.filter(isObject), [{}, { a: 1 }]);
  assert.deepEqual(
    VALUES.map(asObject).filter((value) => value !== null),
    [{}, { a: 1 }],
  );
  assert.deepEqual(objectsOf(VALUES), [{}, { a: 1 }]);
});

test('anything but an array reads as an empty array, and anything but text as an empty text or null', () => {
  assert.deepEqual(
    VALUES.map(asArray).filter(({ length }) => length > 0),
    [[1]],
  );
  assert.deepEqual(
    VALUES.map(stringOf).filter((text) => text !== ''),
    ['text'],
  );
  assert.deepEqual(
    VALUES.map(asText).filter((text) => text !== null),
    ['text'],
  );
});

test('a whole number is one that a double represents exactly', () => {
  assert.deepEqual(VALUES.filter(isWholeNumber), [0]);
  assert.equal(isWholeNumber(2 ** 53), false);
});

test('text that is not JSON, or JSON of another type, is not an object', () => {
  assert.deepEqual(['{"a":1}', '[1]', '1', 'null', '<html>', ''].map(parseObject), [
    { a: 1 },
    null,
    null,
    null,
    null,
    null,
  ]);
  assert.deepEqual(parseOrNull('[1]'), [1]);
});
