/** Goal: clients written for OpenRouter read our answer. Method: their own SDK's schema parses it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GetCurrentKeyResponse$inboundSchema } from '@openrouter/sdk/models/operations/getcurrentkey.js';
import type { Key } from '../accounts/keys.ts';
import { accountId, keyId, projectId } from '../core/ids.ts';
import { keyInformation } from './key.ts';

const key: Key = {
  id: keyId(7),
  projectId: projectId(1),
  accountId: accountId(1),
  name: 'staging backend',
  label: 'sk-tp-…wXyZ',
  kind: 'inference',
  digest: Buffer.alloc(32, 5),
  pepperId: 'pepper-one',
  disabled: false,
  createdAt: 0,
  createdBy: null,
  expiresAt: Date.UTC(2030, 0, 1),
  revokedAt: null,
  retiringAt: null,
  limits: {},
  permissions: {},
};

test('the OpenRouter SDK accepts the answer', () => {
  const parsed = GetCurrentKeyResponse$inboundSchema.parse(JSON.parse(JSON.stringify(keyInformation(key))));
  assert.equal(parsed.data.label, 'sk-tp-…wXyZ');
  assert.equal(parsed.data.expiresAt?.getTime(), Date.UTC(2030, 0, 1));
  assert.equal(parsed.data.limitRemaining, null);
  assert.equal(parsed.data.rateLimit.requests, -1);
});

test('the balance stands beside the data and is null while none is kept', () => {
  const body = keyInformation(key);
  assert.equal(body.balance, null);
  assert.equal(Object.hasOwn(body.data, 'balance'), false);
});

test('a management key says so under both names', () => {
  const { data } = keyInformation({ ...key, kind: 'management', expiresAt: null });
  assert.equal(data['is_management_key'], true);
  assert.equal(data['is_provisioning_key'], true);
  assert.equal(data['expires_at'], null);
});

test('neither the digest nor the pepper is told', () => {
  assert.doesNotMatch(JSON.stringify(keyInformation(key)), /pepper|digest|0505/);
});
