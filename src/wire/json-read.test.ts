/** Goal: single values are read from a document correctly, and broken strings are refused here at the latest. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GatewayError } from '../core/errors.ts';
import type { JsonField } from './json-document.ts';
import { arrayIsEmpty, readString, readValue } from './json-read.ts';
import { scanJson } from './json-scan.ts';

const document = scanJson(
  Buffer.from(
    '{"text":"w\\u00f6rd 😀","count":1e2,"on":true,"none":null,"list":[ \\n ],"full":[ 0],"bad":"\\q","raw":"a\tb"}'.replace(
      '\\n',
      '\n',
    ),
  ),
);

test('strings, numbers, booleans, null and containers are read', () => {
  assert.equal(readString(document, field('text')), 'wörd 😀');
  assert.equal(readValue(document, field('count')), 100);
  assert.equal(readValue(document, field('on')), true);
  assert.equal(readValue(document, field('none')), null);
  assert.deepEqual(readValue(document, field('full')), [0]);
});

test('what the scan does not check inside a string is refused when it is read', () => {
  for (const name of ['bad', 'raw']) {
    assert.throws(
      () => readString(document, field(name)),
      (error) => error instanceof GatewayError && error.code === 'invalid_json' && /at byte \d+/.test(error.message),
    );
  }
});

test('an array of nothing but white space is empty', () => {
  assert.equal(arrayIsEmpty(document, field('list')), true);
  assert.equal(arrayIsEmpty(document, field('full')), false);
});

test('reading a field as the wrong type is a programming error', () => {
  assert.throws(() => readString(document, field('count')), { name: 'AssertionFailed' });
  assert.throws(() => arrayIsEmpty(document, field('text')), { name: 'AssertionFailed' });
});

function field(name: string): JsonField {
  const found = document.fields.get(name);
  assert.ok(found);
  return found;
}

test('an array with an absurd amount of white space counts as not empty', () => {
  const spaced = (bytes: number) => scanJson(Buffer.from(`{"list":[${' '.repeat(bytes)}]}`));
  const isEmpty = (found: ReturnType<typeof spaced>) => arrayIsEmpty(found, found.fields.get('list') as JsonField);
  assert.equal(isEmpty(spaced(1000)), true);
  assert.equal(isEmpty(spaced(100_000)), false);
});
