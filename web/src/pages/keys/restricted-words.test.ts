// Goal: whatever can be restricted is called as the rest of the page calls it. Method: every field the server knows.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  describeRestrictions,
  NO_RESTRICTIONS,
  restrict,
  UNRESTRICTED,
} from '../../../../src/accounts/restrictions.ts';
import { restrictedWords } from './restricted-words.ts';

test('a field that is restricted has the name of its label', () => {
  assert.equal(restrictedWords('permissions.ips'), 'IP addresses');
  assert.equal(restrictedWords('permissions.models_allow'), 'Models');
  assert.equal(restrictedWords('limits.budgets.total'), 'Budget in total');
  assert.equal(restrictedWords('limits.requests_per_minute'), 'Requests per minute');
});

test('no field of a key is shown by its raw name', () => {
  const everything = {
    disabled: true,
    expiresAt: 1,
    limits: {
      requestsPerMinute: 1,
      requestsPerDay: 1,
      tokensPerMinute: 1,
      concurrentCalls: 1,
      budgets: { day: 1n, week: 1n, month: 1n, total: 1n } as never,
    },
    permissions: { operations: [], modelsAllow: [], modelsDeny: [], ips: [] },
  };
  const restricted = describeRestrictions(restrict(UNRESTRICTED, everything, NO_RESTRICTIONS, 'operator'));
  assert.equal(restricted.length, 14);
  for (const { field } of restricted) assert.match(restrictedWords(field), /^(IP )?[A-Z]?[a-z ]+$/, field);
});
