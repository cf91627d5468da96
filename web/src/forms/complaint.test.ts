// Goal: a refusal is shown below the field it is about, whichever of its names the server used.
// Method: errors as the server makes them, asked about several fields.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '../api/client.ts';
import { complaintAbout, isAboutNone } from './complaint.ts';

function refusal(param: string | null, message: string): ApiError {
  return new ApiError({ status: 400, code: 'invalid_value', message, requestId: null, param, retryAfter: null });
}

test('an entry of a list belongs to its list, and the name of the field is not repeated', () => {
  const error = refusal(
    'permissions.modelsAllow[1]',
    'permissions.modelsAllow[1] is not accepted: a pattern has * at its end only.',
  );
  assert.equal(complaintAbout(error, 'permissions.models_allow'), 'A pattern has * at its end only.');
  assert.equal(complaintAbout(error, 'permissions.models_deny'), null);
});

test('a message that begins with the field and a colon is cut alike', () => {
  const error = refusal('limits.budgets.day', 'limits.budgets.day: too small.');
  assert.equal(complaintAbout(error, 'limits.budgets.day'), 'Too small.');
});

test('an error about no field of the form is shown above its buttons', () => {
  assert.equal(isAboutNone(refusal('name', 'name: too long.'), ['name']), false);
  assert.equal(isAboutNone(refusal(null, 'No.'), ['name']), true);
  assert.equal(isAboutNone(refusal('kind', 'No.'), ['name']), true);
});
