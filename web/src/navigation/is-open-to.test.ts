// Goal: nobody is led to a page that can only fail for them. Method: pages of every kind, for who is what.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isOpenTo } from './is-open-to.ts';

test('without an account there is only what is about none', () => {
  assert.equal(isOpenTo({}, false, false), false);
  assert.equal(isOpenTo({}, true, false), false);
  assert.equal(isOpenTo({ accountless: true }, false, false), true);
  assert.equal(isOpenTo({ accountless: 'operator' }, false, false), false);
  assert.equal(isOpenTo({ accountless: 'operator' }, true, false), true);
});

test('what is for operators is for nobody else', () => {
  assert.equal(isOpenTo({ operator: true, accountless: true }, false, true), false);
  assert.equal(isOpenTo({ operator: true, accountless: true }, true, false), true);
  assert.equal(isOpenTo({}, false, true), true);
});
