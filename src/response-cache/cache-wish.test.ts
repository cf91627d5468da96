/** Goal: a call uses the cache exactly if its caller or key wants that. Method: every combination of header and setting. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCacheWish } from './cache-wish.ts';

test('without a header the setting of the key decides, and a header decides against it', () => {
  const maxAge = (headers: Record<string, string>, keySeconds?: number) =>
    readCacheWish(headers, keySeconds)?.maxAgeMs ?? null;
  assert.equal(maxAge({}), null);
  assert.equal(maxAge({}, 60), 60_000);
  assert.equal(maxAge({ 'x-turnpike-cache': 'false' }, 60), null);
  assert.equal(maxAge({ 'x-turnpike-cache': 'true' }), 300_000);
  assert.equal(maxAge({ 'x-turnpike-cache': 'TRUE' }, 60), 60_000);
  assert.equal(maxAge({ 'x-turnpike-cache': 'true', 'x-turnpike-cache-max-age': '1' }, 60), 1_000);
  assert.equal(maxAge({ 'x-turnpike-cache-max-age': '9' }), null);
  assert.equal(maxAge({ 'x-turnpike-cache-max-age': '9' }, 60), 9_000);
});

test("OpenRouter's headers mean the same, and ours count if both are sent", () => {
  const wish = readCacheWish({ 'x-openrouter-cache': 'true', 'x-openrouter-cache-ttl': '600' }, undefined);
  assert.deepEqual(wish, { maxAgeMs: 600_000, isRefresh: false, isOpenRouters: true });
  assert.equal(readCacheWish({ 'x-openrouter-cache': 'false' }, 60), null);
  assert.equal(readCacheWish({ 'x-turnpike-cache': 'false', 'x-openrouter-cache': 'true' }, undefined), null);
  const cleared = { 'x-openrouter-cache': 'true', 'x-openrouter-cache-clear': 'true' };
  assert.equal(readCacheWish(cleared, undefined)?.isRefresh, true);
  assert.equal(readCacheWish({ 'x-turnpike-cache': 'refresh' }, undefined)?.isRefresh, true);
});

test('anything else is refused with the name of the header', () => {
  for (const headers of [
    { 'x-turnpike-cache': 'maybe' },
    { 'x-turnpike-cache': '' },
    { 'x-turnpike-cache': 'true, true' },
    { 'x-openrouter-cache': 'refresh' },
    { 'x-turnpike-cache': 'true', 'x-turnpike-cache-max-age': '0' },
    { 'x-turnpike-cache': 'true', 'x-turnpike-cache-max-age': '86401' },
    { 'x-turnpike-cache': 'true', 'x-turnpike-cache-max-age': '1.5' },
    { 'x-openrouter-cache': 'true', 'x-openrouter-cache-ttl': '-1' },
    { 'x-openrouter-cache': 'true', 'x-openrouter-cache-clear': 'yes' },
  ]) {
    const wrong = Object.keys(headers).at(-1);
    assert.throws(() => readCacheWish(headers, undefined), { code: 'invalid_value', param: wrong });
  }
});
