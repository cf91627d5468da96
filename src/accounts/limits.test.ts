/** Goal: the tightest of key, project and account applies, and limits that have no effect are refused. Method: tables. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GatewayError } from '../core/errors.ts';
import { checkLimits, checkPermissions, type Limits, mayUse, type Permissions } from './limits.ts';

const OPERATIONS = ['chat'];

const models: readonly [Permissions, Permissions, Permissions, string, boolean][] = [
  [{}, {}, {}, 'acme/large', true],
  [{ modelsAllow: ['*'] }, {}, { modelsDeny: ['acme/*'] }, 'acme/large', false],
  [{ modelsAllow: ['*'] }, { modelsAllow: ['other/*'] }, {}, 'acme/large', false],
  [{ modelsAllow: ['acme/large'] }, { modelsAllow: ['acme/*'] }, {}, 'acme/large', true],
  [{ modelsAllow: ['acme/large'] }, { modelsAllow: ['acme/*'] }, {}, 'acme/small', false],
  [{}, {}, { modelsAllow: [] }, 'acme/large', false],
  // Either spelling of a version is denied, and only the one that is written is allowed.
  [{}, {}, { modelsDeny: ['acme/large-4.5'] }, 'acme/large-4-5', false],
  [{}, {}, { modelsDeny: ['acme/large-4-*'] }, 'acme/large-4.5', false],
  [{}, {}, { modelsAllow: ['acme/large-4.5'] }, 'acme/large-4-5', false],
];

for (const [key, project, account, model, allowed] of models) {
  const scopes = [key, project, account].map((permissions) => JSON.stringify(permissions)).join(' in ');
  test(`${scopes} ${allowed ? 'allows' : 'does not allow'} ${model}`, () => {
    const holder = (permissions: Permissions) => ({ permissions });
    assert.equal(mayUse(holder(key), holder(project), holder(account))(model), allowed);
  });
}

test('valid limits and permissions can be set', () => {
  checkLimits({});
  checkLimits({
    requestsPerMinute: 1,
    requestsPerDay: 10_000,
    tokensPerMinute: 2e9,
    concurrentCalls: 5,
    budgets: { day: 0n, total: 5_000_000_000n } as Limits['budgets'] & object,
  });
  checkPermissions({}, OPERATIONS);
  const permissions = {
    operations: ['chat'],
    modelsAllow: ['acme/*', '*', 'acme/large'],
    modelsDeny: [],
    ips: ['10.0.0.0/8', '::1', '2001:db8::/32'],
  };
  checkPermissions(permissions, OPERATIONS);
});

const wrongLimits: readonly [unknown, string][] = [
  [{ requestsPerMinute: 0 }, 'limits.requestsPerMinute'],
  [{ requestsPerDay: -1 }, 'limits.requestsPerDay'],
  [{ tokensPerMinute: 1.5 }, 'limits.tokensPerMinute'],
  [{ concurrentCalls: Number.NaN }, 'limits.concurrentCalls'],
  [{ requestsPerMinute: '60' }, 'limits.requestsPerMinute'],
  [{ requestPerMinute: 60 }, 'limits.requestPerMinute'],
  [{ budgets: { hour: 5n } }, 'limits.budgets.hour'],
  [{ budgets: { day: -5n } }, 'limits.budgets.day'],
  [{ budgets: { day: 5 } }, 'limits.budgets.day'],
];

for (const [limits, param] of wrongLimits) {
  test(`${param} of ${(Object.values(limits as object) as unknown[]).map(String)} cannot be set`, () => {
    assert.throws(() => checkLimits(limits as Limits), isRefusalOf(param));
  });
}

const wrongPermissions: readonly [unknown, string][] = [
  [{ operations: ['chat', 'fly'] }, 'permissions.operations[1]'],
  [{ modelsAllow: [''] }, 'permissions.modelsAllow[0]'],
  [{ modelsAllow: [' acme/large'] }, 'permissions.modelsAllow[0]'],
  [{ modelsDeny: ['*/large'] }, 'permissions.modelsDeny[0]'],
  [{ modelsDeny: [7] }, 'permissions.modelsDeny[0]'],
  [{ ips: ['10.0.0.0/8', '10.0.0.0/33'] }, 'permissions.ips[1]'],
  [{ ips: '10.0.0.0/8' }, 'permissions.ips'],
  [{ ip: ['10.0.0.0/8'] }, 'permissions.ip'],
];

for (const [permissions, param] of wrongPermissions) {
  test(`${JSON.stringify(permissions)} cannot be set`, () => {
    assert.throws(() => checkPermissions(permissions as Permissions, OPERATIONS), isRefusalOf(param));
  });
}

function isRefusalOf(param: string): (error: unknown) => boolean {
  return (error) =>
    error instanceof GatewayError &&
    error.code === 'invalid_value' &&
    error.param === param &&
    error.message.startsWith(`${param} is not accepted: `);
}
