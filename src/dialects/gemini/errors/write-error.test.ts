/** Goal: errors are Google's, and clients find what they need to retry. Method: one error of each status of the table. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ErrorCode, errorTable, GatewayError } from '../../../core/errors.ts';
import { writeError, writeStreamError } from './write-error.ts';

const read = (error: GatewayError) => JSON.parse(String(writeError(error, 'req_1'))).error;

for (const code of Object.keys(errorTable) as ErrorCode[])
  test(`${code} has its status in numbers and words, our code and the id of the request`, () => {
    const { code: number, status, details } = read(new GatewayError(code));
    assert.equal(number, errorTable[code].status);
    assert.match(status, /^[A-Z_]+$/);
    assert.notEqual(status, 'UNKNOWN');
    assert.equal(details[0]['@type'], 'type.googleapis.com/google.rpc.ErrorInfo');
    assert.equal(details[0].reason, code.toUpperCase());
    assert.deepEqual([details[0].metadata.code, details[0].metadata.request_id], [code, 'req_1']);
  });

test('a limit says when to try again, as Gemini CLI reads it, and every value of the metadata is a string', () => {
  const { details } = read(
    new GatewayError('rate_limit_exceeded', { retryAfterSeconds: 34, facts: { limit: 5, by: ['key'] } }),
  );
  assert.deepEqual(details[1], { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34s' });
  assert.deepEqual([details[0].metadata.limit, details[0].metadata.by], ['5', '["key"]']);
});

test('a fact cannot replace the code or the id of the request', () => {
  const { details } = read(new GatewayError('bad_request', { facts: { code: 'x', request_id: 'y' } }));
  assert.deepEqual([details[0].metadata.code, details[0].metadata.request_id], ['bad_request', 'req_1']);
});

test('an invalid field is named', () => {
  const { details } = read(new GatewayError('invalid_value', { param: 'contents[0].role', message: 'No.' }));
  assert.deepEqual(details[1].fieldViolations, [{ field: 'contents[0].role', description: 'No.' }]);
});

test('in a stream an error is one event', () => {
  const text = String(writeStreamError(new GatewayError('upstream_timeout'), 'req_1'));
  assert.match(text, /^data: \{"error":\{"code":504,.*\}\r\n\r\n$/);
});
