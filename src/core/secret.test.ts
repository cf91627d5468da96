/** Goal: no ordinary way of printing a value shows a secret. Method: every way Node has, on one secret. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { format, inspect } from 'node:util';
import { Secret } from './secret.ts';

const VALUE = 'canary-4711';
const secret = new Secret(VALUE);

test('reveal returns the value', () => {
  assert.equal(secret.reveal(), VALUE);
});

test('printing, interpolating, serialising, inspecting and spreading a secret never show it', () => {
  const shown = [
    String(secret),
    `${secret}`,
    `${secret} and more`,
    JSON.stringify({ secret }),
    inspect({ secret }, { depth: 9, showHidden: true }),
    format('%s %o %j', secret, secret, secret),
    JSON.stringify({ ...secret }),
    Object.values(secret).join(),
  ];
  for (const text of shown) assert.doesNotMatch(text, /canary/);
  assert.equal(JSON.stringify([secret]), '["[secret]"]');
});
