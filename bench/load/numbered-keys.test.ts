/** Goal: keys made for a measure are valid keys to Turnpike. Method: its own check of their shape. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { secretShape } from '../../src/accounts/secret/key-secret.ts';
import { numberedKey } from './numbered-keys.ts';

test('every numbered key has the right shape, and none is another', () => {
  const numbers = [0, 1, 61, 62, 3843, 999_999, 1_000_000];
  const keys = ['a', 'z'].flatMap((series) => numbers.map((number) => numberedKey(series, number)));
  for (const key of keys) assert.ok(secretShape(key), key);
  assert.equal(new Set(keys).size, keys.length);
});
