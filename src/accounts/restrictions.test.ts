/** Goal: people can tighten but never loosen what somebody above them set. Method: every field, tighter, looser and removed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseUsd } from '../core/money.ts';
import type { Limits, Permissions } from './limits.ts';
import type { Restrictable } from './restrictable-fields.ts';
import { describeRestrictions, NO_RESTRICTIONS, restrict, UNRESTRICTED } from './restrictions.ts';

const limited = (limits: Limits): Restrictable => ({ limits, permissions: {} });
const permitted = (permissions: Permissions): Restrictable => ({ limits: {}, permissions });
const budget = (usd: string) => limited({ budgets: { day: parseUsd(usd) } });

/** For each field: what an admin set, what a developer may change it to, and what not. */
const FIELDS: Readonly<Record<string, readonly [Restrictable, readonly Restrictable[], readonly Restrictable[]]>> = {
  disabled: [{ ...UNRESTRICTED, disabled: true }, [], [UNRESTRICTED]],
  archived: [{ ...UNRESTRICTED, archived: true }, [], [UNRESTRICTED]],
  expires_at: [
    { ...UNRESTRICTED, expiresAt: 100 },
    [{ ...UNRESTRICTED, expiresAt: 99 }],
    [UNRESTRICTED, { ...UNRESTRICTED, expiresAt: 101 }],
  ],
  'limits.requests_per_minute': [
    limited({ requestsPerMinute: 10 }),
    [limited({ requestsPerMinute: 9 })],
    [UNRESTRICTED, limited({ requestsPerMinute: 11 })],
  ],
  'limits.requests_per_day': [limited({ requestsPerDay: 10 }), [], [UNRESTRICTED, limited({ requestsPerDay: 11 })]],
  'limits.tokens_per_minute': [limited({ tokensPerMinute: 10 }), [], [UNRESTRICTED, limited({ tokensPerMinute: 11 })]],
  'limits.concurrent_calls': [limited({ concurrentCalls: 2 }), [], [UNRESTRICTED, limited({ concurrentCalls: 3 })]],
  'limits.budgets.day': [
    budget('0'),
    [limited({ budgets: { day: parseUsd('0'), week: parseUsd('5') } })],
    [UNRESTRICTED, budget('0.000000001'), limited({ budgets: { week: parseUsd('0') } })],
  ],
  'permissions.operations': [
    permitted({ operations: ['chat'] }),
    [permitted({ operations: [] })],
    [UNRESTRICTED, permitted({ operations: ['chat', 'images'] })],
  ],
  'permissions.models_allow': [
    permitted({ modelsAllow: ['lab/*', 'acme/small'] }),
    [permitted({ modelsAllow: ['lab/small', 'lab/l*'] })],
    [
      UNRESTRICTED,
      permitted({ modelsAllow: ['lab*'] }),
      permitted({ modelsAllow: ['acme/*'] }),
      permitted({ modelsAllow: ['acme/large'] }),
    ],
  ],
  'permissions.models_deny': [
    permitted({ modelsDeny: ['lab/large*'] }),
    [permitted({ modelsDeny: ['lab/*'] }), permitted({ modelsDeny: ['x', 'lab/large*'] })],
    [UNRESTRICTED, permitted({ modelsDeny: ['lab/large-2'] })],
  ],
  'permissions.ips': [
    permitted({ ips: ['10.0.0.0/8', '::1'] }),
    [permitted({ ips: ['10.1.0.0/16', '10.2.3.4', '::ffff:10.0.0.1'] })],
    [UNRESTRICTED, permitted({ ips: ['0.0.0.0/0'] }), permitted({ ips: ['11.0.0.1'] }), permitted({ ips: ['::/0'] })],
  ],
};

for (const [field, [set, tighter, looser]] of Object.entries(FIELDS))
  test(`${field}: a developer may tighten but not loosen what an admin set; an admin may do both`, () => {
    const restrictions = restrict(UNRESTRICTED, set, NO_RESTRICTIONS, 'admin');
    assert.deepEqual(describeRestrictions(restrictions), [{ field, by: 'admin' }]);
    for (const after of tighter) {
      const next = restrict(set, after, restrictions, 'developer');
      restrict(after, set, next, 'developer');
    }
    for (const after of looser) {
      assert.throws(() => restrict(set, after, restrictions, 'developer'), {
        code: 'permission_denied',
        param: field,
        message: /an admin of the account .*ask an admin or an owner/,
      });
      restrict(set, after, restrictions, 'admin');
    }
    assert.equal(restrict(set, UNRESTRICTED, restrictions, 'owner'), NO_RESTRICTIONS);
  });

test('each level is bound only by higher levels, and a higher level may set a new value', () => {
  const owner = restrict(UNRESTRICTED, budget('100'), NO_RESTRICTIONS, 'owner');
  const admin = restrict(budget('100'), budget('10'), owner, 'admin');
  assert.throws(() => restrict(budget('10'), budget('11'), admin, 'developer'), /restricted by an owner|by an admin/);
  assert.deepEqual(restrict(budget('10'), budget('50'), admin, 'admin').admin, {
    'limits.budgets.day': parseUsd('50'),
  });
  assert.throws(() => restrict(budget('10'), budget('101'), admin, 'admin'), /ask an owner/);
  const operator = restrict(budget('10'), budget('1000'), admin, 'operator');
  assert.deepEqual(describeRestrictions(operator), [{ field: 'limits.budgets.day', by: 'operator' }]);
  restrict(budget('1000'), budget('900'), operator, 'developer');
});

test('what a developer sets restricts nobody, and other fields stay free', () => {
  assert.equal(restrict(UNRESTRICTED, budget('1'), NO_RESTRICTIONS, 'developer'), NO_RESTRICTIONS);
  const restrictions = restrict(UNRESTRICTED, budget('1'), NO_RESTRICTIONS, 'admin');
  const both = { ...budget('1'), limits: { ...budget('1').limits, requestsPerDay: 5 } };
  assert.deepEqual(restrict(budget('1'), both, restrictions, 'developer'), restrictions);
});
