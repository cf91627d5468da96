/** Goal: `X-Forwarded-For` is trusted exactly as far as the operator's own proxies wrote it. */
import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { clientAddressBehind, schemeBehind } from './client-address.ts';

function request(remoteAddress: string, forwarded?: string): IncomingMessage {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  return { socket: { remoteAddress }, headers } as unknown as IncomingMessage;
}

test('without trusted proxies the header is ignored', () => {
  const addressOf = clientAddressBehind(null);
  assert.equal(addressOf(request('203.0.113.9', '10.0.0.1')), '203.0.113.9');
  assert.equal(addressOf(request('::ffff:203.0.113.9')), '203.0.113.9');
});

test('the header is read from the right, as far as the trusted ranges reach', () => {
  const addressOf = clientAddressBehind(['10.0.0.0/8', '::1']);
  assert.equal(addressOf(request('10.0.0.1', '198.51.100.7')), '198.51.100.7');
  assert.equal(addressOf(request('10.0.0.1', '1.1.1.1, 198.51.100.7, 10.2.3.4')), '198.51.100.7');
  assert.equal(addressOf(request('::1', 'spoofed, 198.51.100.7')), '198.51.100.7');
});

test('a caller that is not a proxy cannot set its own address', () => {
  const addressOf = clientAddressBehind(['10.0.0.0/8']);
  assert.equal(addressOf(request('203.0.113.9', '10.0.0.1')), '203.0.113.9');
});

test('an invalid entry ends the walk at the last valid address', () => {
  const addressOf = clientAddressBehind(['10.0.0.0/8']);
  assert.equal(addressOf(request('10.0.0.1', 'unknown')), '10.0.0.1');
  assert.equal(addressOf(request('10.0.0.1')), '10.0.0.1');
});

test('with a number of proxies, exactly that many hops are trusted', () => {
  const addressOf = clientAddressBehind(2);
  assert.equal(addressOf(request('10.0.0.1', '6.6.6.6, 198.51.100.7, 10.2.3.4')), '198.51.100.7');
});

test('an invalid range is refused when the gateway starts', () => {
  assert.throws(() => clientAddressBehind(['proxy.internal']), RangeError);
});

test('the scheme is taken only from a trusted proxy', () => {
  const from = (remoteAddress: string, proto?: string) =>
    ({ socket: { remoteAddress }, headers: proto === undefined ? {} : { 'x-forwarded-proto': proto } }) as never;
  const schemeOf = schemeBehind(['10.0.0.0/8']);
  assert.equal(schemeOf(from('10.0.0.1', 'https')), 'https');
  assert.equal(schemeOf(from('10.0.0.1', 'HTTPS, http')), 'https');
  assert.equal(schemeOf(from('10.0.0.1', 'http')), 'http');
  assert.equal(schemeOf(from('10.0.0.1')), 'http');
  assert.equal(schemeOf(from('203.0.113.9', 'https')), 'http');
  assert.equal(schemeBehind(null)(from('10.0.0.1', 'https')), 'http');
  assert.equal(schemeBehind(1)(from('203.0.113.9', 'https')), 'https');
});
