// Goal: a retry uses the key of its first attempt, and nothing else does. Method: inputs one after the other.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { idempotencyKeys } from './idempotency-key.ts';

test('the same input has the same key, and a changed one its own', () => {
  const keys = idempotencyKeys();
  const first = keys.for({ body: { name: 'a' } });
  assert.match(first, /^[0-9a-f]{32}$/);
  assert.equal(keys.for({ body: { name: 'a' } }), first);
  assert.notEqual(keys.for({ body: { name: 'b' } }), first);
});

test('after it was made, the same is another one', () => {
  const keys = idempotencyKeys();
  const first = keys.for({ body: {} });
  keys.forget();
  assert.notEqual(keys.for({ body: {} }), first);
});
