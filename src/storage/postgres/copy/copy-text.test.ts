/** Goal: a row is the same after it was written as a line and read again, whatever its texts contain. Method: values with every character that is escaped. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CopiedKind, type CopiedValue, copyLine, readCopyLine } from './copy-text.ts';

test('a row is read as it was written', () => {
  const texts = ['', 'plain', '\\N', 'a\tb\nc\rd\\e\bf\fg\vh', '\\x41', 'ünï → 😀', '\\', 'it\'s "so"'];
  const row: CopiedValue[] = [null, 0n, -9_223_372_036_854_775_808n, Buffer.from([0, 92, 10, 255]), ...texts];
  const kinds: CopiedKind[] = ['text', 'integer', 'integer', 'bytes', ...texts.map(() => 'text' as const)];
  const line = copyLine(row);
  assert.equal(line.split('\n').length, 2);
  assert.deepEqual(readCopyLine(Buffer.from(line), kinds), row);
});

test('a text with a zero character is refused, and a row with other columns', () => {
  assert.throws(() => copyLine(['a\0b']), /zero character/);
  assert.throws(() => readCopyLine(Buffer.from('1\t2\n'), ['integer']), /2 columns instead of 1/);
});
