// Goal: a form sends what was changed and nothing else, and removes a limit with null.
// Method: drafts of known limits, changed field by field, compared with the resulting body.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { draftOfLimits, limitsBody, NO_LIMITS } from './limits-draft.ts';
import { draftOfPermissions, NO_PERMISSIONS, permissionsBody } from './permissions-draft.ts';

const LIMITS = { ...NO_LIMITS, requests_per_minute: 60, budgets: { day: 5, month: 50 } };

test('nothing is sent if nothing was changed', () => {
  assert.deepEqual(limitsBody(draftOfLimits(NO_LIMITS)), {});
  assert.deepEqual(limitsBody(draftOfLimits(LIMITS), LIMITS), {});
});

test('something new sends what was filled in', () => {
  assert.deepEqual(limitsBody(draftOfLimits(LIMITS)), { requests_per_minute: 60, budgets: { day: '5', month: '50' } });
});

test('an amount that is being typed is completed', () => {
  const draft = draftOfLimits(NO_LIMITS);
  const typed = { ...draft, budgets: { day: '.5', week: '5.', month: '', total: '0' } };
  assert.deepEqual(limitsBody(typed), { budgets: { day: '0.5', week: '5', total: '0' } });
});

test('an invalid amount is never sent as no limit', () => {
  const draft = draftOfLimits(LIMITS);
  const typed = { ...draft, budgets: { ...draft.budgets, day: '.', month: '1,000' } };
  assert.deepEqual(limitsBody(typed, LIMITS), { budgets: { day: '.', month: '1,000' } });
});

test('an emptied limit is taken away', () => {
  const draft = draftOfLimits(LIMITS);
  const emptied = {
    budgets: { ...draft.budgets, day: '' },
    rates: { ...draft.rates, requests_per_minute: null },
  };
  assert.deepEqual(limitsBody(emptied, LIMITS), { requests_per_minute: null, budgets: { day: null } });
});

test('an emptied list allows all again, and an untouched one is not sent', () => {
  const before = { ...NO_PERMISSIONS, models_allow: ['demo/*'], ips: ['10.0.0.0/8'] };
  const draft = { ...draftOfPermissions(before), models_allow: [], models_deny: ['demo/echo'] };
  assert.deepEqual(permissionsBody(draft, before), { models_allow: null, models_deny: ['demo/echo'] });
});
