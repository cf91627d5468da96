/** Goal: every operation keeps the contract, and the table has what dialects' paths lead to. Method: the contract over the table. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callerDialects } from '../dialects/index.ts';
import { operationContract } from './contract.ts';
import { operationPermissions, operations } from './index.ts';
import type { Operation } from './operation.ts';

for (const [key, operation] of Object.entries(operations)) operationContract(key, operation);

test('every path of every dialect leads to an operation of the table', () => {
  for (const { paths } of Object.values(callerDialects))
    for (const { operation, pattern } of paths) assert.ok(Object.hasOwn(operations, operation), pattern);
});

test('permissions are names of operations without repeats, and batches; every operation has one', () => {
  assert.equal(new Set(operationPermissions).size, operationPermissions.length);
  for (const name of operationPermissions) assert.ok(name === 'batches' || Object.hasOwn(operations, name), name);
  for (const { permission } of Object.values(operations)) assert.ok(operationPermissions.includes(permission));
});

test('an operation that the caller cannot cap the tokens of says what makes its requests cost less', () => {
  for (const operation of Object.values<Operation>(operations)) {
    if (!operation.isPaid) continue;
    const isCapped = operation.priceLines.includes('output') && operation.unitKinds.length === 0;
    assert.equal(operation.saving === undefined, isCapped, operation.name);
    assert.match(operation.saving ?? 'send less', /^(ask for|send) (?!.*tokens).*[^.]$/);
  }
});
