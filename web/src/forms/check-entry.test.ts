// Goal: obvious errors in addresses and patterns are reported while typing, and anything else is left to the server.
// Method: one entry after the other.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkAddress, checkModelPattern, checkOrigin } from './check-entry.ts';

for (const text of ['203.0.113.7', '10.0.0.0/8', '0.0.0.0/0', '2001:db8::/32', '::1', '::ffff:10.0.0.1'])
  test(`${text} is an address`, () => assert.equal(checkAddress(text), null));

for (const text of [
  '300.1.1.1',
  '10.0.0',
  '10.0.0.0/33',
  '10.0.0.0/8/8',
  '2001:db8::/129',
  'example.com',
  '10.0.0.1/x',
])
  test(`${text} is none`, () => assert.notEqual(checkAddress(text), null));

test('a pattern has its star at the end', () => {
  assert.equal(checkModelPattern('anthropic/*'), null);
  assert.equal(checkModelPattern('demo/echo'), null);
  assert.notEqual(checkModelPattern('*/echo'), null);
});

for (const text of ['https://app.example.com', 'https://*.example.com', 'http://localhost:3000/', 'app://obsidian.md'])
  test(`${text} is an origin`, () => assert.equal(checkOrigin(text), null));

for (const text of ['example.com', 'https://', 'https://example.com/app', 'https://a.*.com', '*'])
  test(`${text} is no origin`, () => assert.notEqual(checkOrigin(text), null));
