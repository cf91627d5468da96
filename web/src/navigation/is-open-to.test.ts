// Goal: people are not shown pages that can only fail for them. Method: pages of every kind, and people with every role.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasRole, isOpenTo } from './is-open-to.ts';

const nobody = { isOperator: false, role: null };
const operator = { isOperator: true, role: null };
const viewer = { isOperator: false, role: 'viewer' } as const;

test('without an account only pages that do not need one are open', () => {
  assert.equal(isOpenTo({}, nobody), false);
  assert.equal(isOpenTo({}, operator), false);
  assert.equal(isOpenTo({ accountless: true }, nobody), true);
  assert.equal(isOpenTo({ accountless: 'operator' }, nobody), false);
  assert.equal(isOpenTo({ accountless: 'operator' }, operator), true);
});

test("operators' pages are closed to everyone else", () => {
  assert.equal(isOpenTo({ operator: true, accountless: true }, { isOperator: false, role: 'owner' }), false);
  assert.equal(isOpenTo({ operator: true, accountless: true }, operator), true);
  assert.equal(isOpenTo({}, viewer), true);
});

test('a page with a lowest role is open to that role, to higher ones, and to operators', () => {
  const page = { role: 'admin', accountless: 'operator' } as const;
  assert.deepEqual(
    (['viewer', 'developer', 'admin', 'owner'] as const).map((role) => isOpenTo(page, { isOperator: false, role })),
    [false, false, true, true],
  );
  assert.equal(isOpenTo(page, { isOperator: true, role: 'viewer' }), true);
  assert.equal(isOpenTo(page, nobody), false);
});

test('roles include those below them', () => {
  assert.equal(hasRole('developer', 'viewer'), true);
  assert.equal(hasRole('developer', 'admin'), false);
});
