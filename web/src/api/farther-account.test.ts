// Goal: an operator of many accounts reaches each of them by its address, and nobody reaches an unknown one. Method: sessions with and without more.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fartherAccount } from './farther-account.ts';

const listed = { accounts: [{ id: 1 }, { id: 7 }], more_accounts: true };

test('an account missing from the session is used if the address names it', () => {
  assert.equal(fartherAccount(listed, '4711'), 4711);
  for (const asked of [null, '', '7', '1', '0', '-3', '07', '1e3', 'all', '9'.repeat(20)])
    assert.equal(fartherAccount(listed, asked), null, String(asked));
});

test('if the session lists all accounts there is no other', () => {
  assert.equal(fartherAccount({ ...listed, more_accounts: false }, '4711'), null);
});
