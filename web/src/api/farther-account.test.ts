// Goal: an operator of many accounts reaches each of them by its address, and nobody reaches an unknown one. Method: sessions with and without more.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fartherAccount } from './farther-account.ts';

const told = { accounts: [{ id: 1 }, { id: 7 }], more_accounts: true };

test('an account that the session does not tell of is the one that the address names', () => {
  assert.equal(fartherAccount(told, '4711'), 4711);
  for (const asked of [null, '', '7', '1', '0', '-3', '07', '1e3', 'all', '9'.repeat(20)])
    assert.equal(fartherAccount(told, asked), null, String(asked));
});

test('where the session tells of all of them there is no other', () => {
  assert.equal(fartherAccount({ ...told, more_accounts: false }, '4711'), null);
});
