/** Goal: a name read through the cache always equals the bytes, whatever else the cache has seen. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { internName } from './intern-name.ts';

test('every name is read correctly, also when many names share the slots', () => {
  for (let round = 0; round < 3; round++) {
    for (let index = 0; index < 5000; index++) {
      const bytes = Buffer.from(`"name-${index}"`);
      assert.equal(internName(bytes, 1, bytes.length - 1), `name-${index}`);
    }
  }
  assert.equal(internName(Buffer.from('""'), 1, 1), '');
});

test('returns null for what is long, escaped or not printable ASCII', () => {
  for (const text of ['x'.repeat(41), 'a\\u0062', 'a\tb', 'ä', '\u007f']) {
    const bytes = Buffer.from(text);
    assert.equal(internName(bytes, 0, bytes.length), null, text);
  }
});
