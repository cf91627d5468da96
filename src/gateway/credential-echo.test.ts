/** Goal: bytes that repeat our credential are recognised. Method: the headers providers are sent. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { echoTest } from './credential-echo.ts';

test('a bearer token is found without its scheme', () => {
  const isEcho = echoTest({ authorization: 'Bearer abc-123-def' });
  assert.equal(isEcho(Buffer.from('{"error":"bad key abc-123-def"}')), true);
  assert.equal(isEcho(Buffer.from('{"error":"Bearer"}')), false);
});

test('a key in a header of its own is found', () => {
  assert.equal(echoTest({ 'x-api-key': 'secret-key' })(Buffer.from('…secret-key…')), true);
});

test('without a credential nothing is an echo', () => {
  assert.equal(echoTest({ 'anthropic-version': '2023-06-01' })(Buffer.from('2023-06-01')), false);
});

test('a value too short to be one is not looked for', () => {
  assert.equal(echoTest({ authorization: 'Bearer a' })(Buffer.from('a man a plan')), false);
});
