/** Goal: an origin is found by the keys that have it, with bounded work. Method: keys whose validity the test decides. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type KeyId, keyId } from '../core/ids.ts';
import { OriginIndex } from './origin-index.ts';

const PAGE = 'https://app.example.com';

test('an origin is known while a usable key has it, by itself or by a wildcard', () => {
  const index = new OriginIndex();
  const all = () => true;
  assert.equal(index.has(PAGE, all), false);
  index.add(keyId(1), ['https://*.example.com', 'https://other.example']);
  assert.equal(index.has(PAGE, all), true);
  assert.equal(
    index.has(PAGE, (id) => id !== 1),
    false,
  );
  index.add(keyId(2), [PAGE]);
  assert.equal(
    index.has(PAGE, (id) => id === 2),
    true,
  );
  index.delete(keyId(1), ['https://*.example.com', 'https://other.example']);
  index.delete(keyId(2), [PAGE]);
  assert.equal(index.has(PAGE, all), false);
  assert.equal(index.has('https://other.example', all), false);
});

test('at most 64 keys are checked, and a usable one among thousands is found after a while and then at once', () => {
  const index = new OriginIndex();
  for (let id = 1; id <= 1_000; id += 1) index.add(keyId(id), [PAGE]);
  let looks = 0;
  const only = (id: KeyId) => {
    looks += 1;
    return id === 1_000;
  };
  let asked = 0;
  while (!index.has(PAGE, only)) asked += 1;
  assert.ok(asked <= 1_000 / 64, `${asked}`);
  assert.ok(looks <= 1_000);
  looks = 0;
  assert.equal(index.has(PAGE, only), true);
  assert.equal(looks, 1);
});
