/** Goal: a test file is either long or runs with `npm test`, and the list names files that exist. Method: the list itself. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';

interface LongTests {
  isLong(file: string): boolean;
  readonly namedFiles: readonly string[];
}

const file = pathToFileURL(join(import.meta.dirname, 'long-tests.mjs')).href;
const { isLong, namedFiles } = (await import(file)) as LongTests;

test('pages, faults and several nodes are long, apart from what sees the whole', () => {
  assert.equal(isLong('test/browser/keyboard.test.ts'), true);
  assert.equal(isLong('test/browser/journey.test.ts'), false);
  assert.equal(isLong('src/core/money.test.ts'), false);
});

test('each named file exists', () => {
  const missing = namedFiles.filter((name) => !existsSync(join(import.meta.dirname, '..', name)));
  assert.deepEqual(missing, []);
});
