/** Goal: keys have the right status and may use the right models. Method: tables. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isGood, type Key, keyStatus } from './keys.ts';
import { mayUseModel, type Permissions } from './limits.ts';

const statuses: readonly [string, Partial<Key>, string][] = [
  ['nothing against it', {}, 'active'],
  ['a future expiry', { expiresAt: 101 }, 'active'],
  ['an expiry exactly now', { expiresAt: 100 }, 'expired'],
  ['a successor', { retiringAt: 101 }, 'retiring'],
  ['a successor and a grace that ends exactly now', { retiringAt: 100 }, 'expired'],
  ['a successor and an expiry before the end of the grace', { retiringAt: 200, expiresAt: 100 }, 'expired'],
  ['a successor, disabled', { retiringAt: 101, disabled: true }, 'disabled'],
  ['a successor, revoked', { retiringAt: 101, revokedAt: 50 }, 'revoked'],
  ['disabled', { disabled: true }, 'disabled'],
  ['disabled and expired', { disabled: true, expiresAt: 1 }, 'expired'],
  ['revoked, disabled and expired', { revokedAt: 50, disabled: true, expiresAt: 1 }, 'revoked'],
];

for (const [what, changes, status] of statuses) {
  test(`a key with ${what} is ${status}`, () => {
    const key = { disabled: false, expiresAt: null, revokedAt: null, retiringAt: null, ...changes } as Key;
    assert.equal(keyStatus(key, 100), status);
    assert.equal(isGood(key, 100), status === 'active' || status === 'retiring');
  });
}

const models: readonly [Permissions, string, boolean][] = [
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
