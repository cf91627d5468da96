/** Goal: a secret is sent in the clear to this machine only. Method: a table of addresses. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSafeAddress } from './safe-address.ts';

for (const [address, isSafe] of [
  ['https://login.example', true],
  ['http://127.0.0.1:8080', true],
  ['http://127.1.2.3', true],
  ['http://localhost:8080', true],
  ['http://[::1]:8080', true],
  ['http://127.evil.example', false],
  ['http://127.0.0.1.evil.example', false],
  ['http://localhost.evil.example', false],
  ['http://192.0.2.1', false],
  ['ftp://localhost', false],
  ['file:///etc/passwd', false],
] as const)
  test(`${address} is ${isSafe ? '' : 'not '}safe`, () => assert.equal(isSafeAddress(new URL(address)), isSafe));
