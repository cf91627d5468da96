/** Goal: who restricted what comes back from its column as it went in, amounts exactly. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Restrictions } from '../../accounts/ports.ts';
import { parseUsd } from '../../core/money.ts';
import { readRestrictions, writeRestrictions } from './restrictions-json.ts';

test('restrictions come back as they were, and none are absent', () => {
  const restrictions: Restrictions = {
    admin: { disabled: true, 'limits.budgets.day': parseUsd('0.000000001'), 'permissions.ips': ['10.0.0.0/8'] },
    operator: { expires_at: 5, 'limits.requests_per_day': 7 },
  };
  assert.deepEqual(readRestrictions(writeRestrictions(restrictions)), restrictions);
  assert.equal(readRestrictions(writeRestrictions({})), undefined);
});
