/** Goal: the status of a key and the models it may use, as tables. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Key, type KeyPermissions, keyStatus, mayUseModel } from './keys.ts';

const statuses: readonly [string, Partial<Key>, string][] = [
  ['nothing against it', {}, 'active'],
  ['an expiry yet to come', { expiresAt: 101 }, 'active'],
  ['an expiry at this very moment', { expiresAt: 100 }, 'expired'],
  ['disabled', { disabled: true }, 'disabled'],
  ['disabled and expired', { disabled: true, expiresAt: 1 }, 'expired'],
  ['revoked, disabled and expired', { revokedAt: 50, disabled: true, expiresAt: 1 }, 'revoked'],
];

for (const [what, changes, status] of statuses) {
  test(`a key with ${what} is ${status}`, () => {
    assert.equal(keyStatus({ disabled: false, expiresAt: null, revokedAt: null, ...changes } as Key, 100), status);
  });
}

const models: readonly [KeyPermissions, string, boolean][] = [
  [{}, 'acme/large', true],
  [{ modelsAllow: ['acme/*'] }, 'acme/large', true],
  [{ modelsAllow: ['acme/*'] }, 'acmetoo/large', false],
  [{ modelsAllow: [] }, 'acme/large', false],
  [{ modelsAllow: ['acme/large'] }, 'acme/large-2', false],
  [{ modelsDeny: ['acme/large'] }, 'acme/large', false],
  [{ modelsAllow: ['*'], modelsDeny: ['acme/*'] }, 'acme/large', false],
  [{ modelsAllow: ['*'], modelsDeny: ['acme/*'] }, 'other/large', true],
];

for (const [permissions, model, allowed] of models) {
  test(`${JSON.stringify(permissions)} ${allowed ? 'allows' : 'does not allow'} ${model}`, () => {
    assert.equal(mayUseModel(permissions, model), allowed);
  });
}
