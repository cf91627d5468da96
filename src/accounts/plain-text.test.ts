/** Goal: no text that an operator enters can manipulate a terminal. Method: characters of each kind, and text in many scripts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { escapeUnplain, isPlainText } from './plain-text.ts';

test('control characters and those that change the writing direction are not plain', () => {
  for (const code of [0, 9, 10, 13, 0x1b, 0x7f, 0x85, 0x9b, 0x061c, 0x200e, 0x202e, 0x2028, 0x2066, 0x2069])
    assert.ok(!isPlainText(`a${String.fromCharCode(code)}b`), code.toString(16));
});

test('names in any script are plain, including emoji of several parts', () => {
  for (const name of ['ci', 'Größe 1', 'مرحبا', 'שלום', '日本', '👩‍👩‍👧 team', 'می‌خواهم', ''])
    assert.ok(isPlainText(name), name);
});

test('characters that are not plain are printed as escape codes', () => {
  assert.equal(escapeUnplain('a\u001b[31mb\n\u202ec'), 'a\\u001b[31mb\\u000a\\u202ec');
  assert.equal(escapeUnplain('plain'), 'plain');
});
