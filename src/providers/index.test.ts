/** Goal: every member of the table keeps the family's promises. Method: the contract over the table. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { providerContract } from './contract.ts';
import { findProviderKind, providerKinds } from './index.ts';

for (const [key, declaration] of Object.entries(providerKinds)) providerContract(key, declaration);

test('each environment variable enables one kind', () => {
  const variables = Object.values(providerKinds).flatMap(({ environmentVariable }) => environmentVariable ?? []);
  assert.deepEqual([...new Set(variables)], variables);
  for (const name of variables) assert.match(name, /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*_(API_KEY|HOST|TOKEN|BEDROCK)$/);
});

test('an inherited property is not a kind', () => {
  assert.equal(findProviderKind('constructor'), null);
  assert.equal(findProviderKind('openai'), providerKinds.openai);
});
