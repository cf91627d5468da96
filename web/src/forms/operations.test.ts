/** Goal: the form suggests every permission that there is. Method: the server's own table. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { operationPermissions } from '../../../src/operations/index.ts';
import { OPERATIONS } from './operations.ts';

test('the operations of the form are those that keys can be limited to', () => {
  assert.deepEqual(OPERATIONS, operationPermissions.toSorted());
});
