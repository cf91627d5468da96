/** Goal: only what the storage could not do is blamed on it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asGatewayError, GatewayError } from './errors.ts';
import { orStorageTrouble } from './storage-trouble.ts';

const away = new Error('the database does not answer');
const ports = { isStorageTrouble: (error: unknown) => error === away };

test('trouble of the storage is 503 with the time to try again, and keeps its cause', () => {
  const error = orStorageTrouble(asGatewayError(away), ports);
  assert.deepEqual([error.code, error.status, error.retryAfterSeconds], ['ledger_unavailable', 503, 5]);
  assert.match(error.message, /try again/);
  assert.equal((error.cause as GatewayError).cause, away);
});

test('any other error stays what it is', () => {
  const bug = asGatewayError(new Error('a bug'));
  assert.equal(orStorageTrouble(bug, ports), bug);
  const refused = new GatewayError('insufficient_balance', { cause: away });
  assert.equal(orStorageTrouble(refused, ports), refused);
});
