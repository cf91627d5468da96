/** Goal: a key is read literally, or refused. Method: tables of headers. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GatewayError } from '../core/errors.ts';
import { readIdempotencyKey } from './idempotency-key.ts';

test('the header is found in any case, among others, and its value is literal', () => {
  for (const name of ['Idempotency-Key', 'idempotency-key', 'IDEMPOTENCY-KEY', 'iDeMpOtEnCy-kEy'])
    assert.equal(readIdempotencyKey(['host', 'x', name, '"a,b"', 'accept', '*/*']), '"a,b"');
  assert.equal(readIdempotencyKey(['host', 'x', 'x-note-no-key-1', 'idempotency-key']), null);
  assert.equal(readIdempotencyKey([]), null);
});

test('only 1 to 255 visible ASCII characters are accepted', () => {
  for (const value of ['a', '~', '!', 'k'.repeat(255)])
    assert.equal(readIdempotencyKey(['Idempotency-Key', value]), value);
  for (const value of ['', 'k'.repeat(256), 'a b', 'a\tb', '\x7f', 'é', 'a\u0000'])
    assert.throws(
      () => readIdempotencyKey(['Idempotency-Key', value]),
      (error) => error instanceof GatewayError && error.code === 'invalid_value' && error.param === 'Idempotency-Key',
      JSON.stringify(value),
    );
});

test('two keys are refused, even when they are the same', () => {
  assert.throws(
    () => readIdempotencyKey(['Idempotency-Key', 'a', 'idempotency-key', 'a']),
    (error) => error instanceof GatewayError && error.code === 'duplicate_header' && error.status === 400,
  );
});
