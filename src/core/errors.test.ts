/** Goal: the table of errors is complete, and the message of an unexpected error never reaches a caller. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  asGatewayError,
  docsUrl,
  type ErrorCode,
  errorTable,
  GatewayError,
  orStorageTrouble,
  setDocsAddress,
} from './errors.ts';

for (const code of Object.keys(errorTable) as ErrorCode[]) {
  test(`${code} has an error status, both types and a message`, () => {
    const entry = errorTable[code];
    assert.ok(entry.status >= 400 && entry.status < 600);
    assert.match(code, /^[a-z][a-z0-9_]+$/);
    assert.match(entry.message, /^[A-Z].*\.$/s);
    assert.ok(entry.openaiType.length > 0 && entry.anthropicType.length > 0);
    assert.ok(docsUrl(code).endsWith(`#${code}`));
  });
}

test('an error takes its status from the table, and its message unless it has its own', () => {
  const plain = new GatewayError('shedding');
  assert.equal(plain.status, 503);
  assert.equal(plain.message, errorTable.shedding.message);
  assert.deepEqual([plain.param, plain.retryAfterSeconds, plain.facts], [null, null, null]);
  const detailed = new GatewayError('invalid_value', { message: 'Too big.', param: 'n', retryAfterSeconds: 2 });
  assert.deepEqual([detailed.message, detailed.param, detailed.retryAfterSeconds], ['Too big.', 'n', 2]);
});

test('an unexpected error becomes internal_error, with the error as its cause but without its message', () => {
  const mistake = new TypeError('password is hunter2');
  const error = asGatewayError(mistake);
  assert.equal(error.code, 'internal_error');
  assert.equal(error.cause, mistake);
  assert.doesNotMatch(error.message, /hunter2/);
  const known = new GatewayError('not_found');
  assert.equal(asGatewayError(known), known);
});

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

test('a link to a code is a path without a public URL, and a whole address below it', () => {
  const path = '/docs/reference/errors#shedding';
  try {
    assert.equal(docsUrl('shedding'), path);
    setDocsAddress('https://example.com/llm');
    assert.equal(docsUrl('shedding'), `https://example.com/llm${path}`);
  } finally {
    setDocsAddress(null);
  }
  assert.equal(docsUrl('shedding'), path);
});
