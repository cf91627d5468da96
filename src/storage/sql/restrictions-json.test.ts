/** Goal: restrictions are read from their column as they were written, with exact amounts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Restrictions } from '../../accounts/ports.ts';
import { parseUsd } from '../../core/money.ts';
import { readRestrictions, writeRestrictions } from './restrictions-json.ts';

test('restrictions are read as they were written, and are absent if there are none', () => {
  const restrictions: Restrictions = {
    admin: { disabled: true, 'limits.budgets.day': parseUsd('0.000000001'), 'permissions.ips': ['10.0.0.0/8'] },
    operator: { expires_at: 5, 'limits.requests_per_day': 7 },
  };
  assert.deepEqual(readRestrictions(writeRestrictions(restrictions)), restrictions);
  assert.equal(readRestrictions(writeRestrictions({})), undefined);
});
