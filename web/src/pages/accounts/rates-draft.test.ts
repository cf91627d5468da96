/** Goal: a form of rates sends what was changed and nothing else. Method: drafts by hand. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeAccountRates, draftOfRates, ratesBody, readModelMarkup } from './rates-draft.ts';

const before = { markup: 10, models: { 'acme/large': 20, 'acme/small': 0 }, own_credential_fee: null };

test('an unchanged form sends nothing', () => {
  assert.deepEqual(ratesBody(draftOfRates(before), before), {});
});

test('what is emptied is removed, what is new or different is set', () => {
  const draft = { markup: '', ownCredentialFee: '2,5', models: ['acme/large=25', 'acme/new=1'] };
  assert.deepEqual(ratesBody(draft, before), {
    markup: null,
    models: { 'acme/large': 25, 'acme/new': 1, 'acme/small': null },
    own_credential_fee: 2.5,
  });
});

test('a model may contain the sign before its percentage', () => {
  assert.deepEqual(readModelMarkup('acme/a=b=1.5'), ['acme/a=b', 1.5]);
  for (const wrong of ['acme/large', '=5', 'acme/large=', 'acme/large=much'])
    assert.equal(readModelMarkup(wrong), null);
});

test('rates are described in a few words', () => {
  assert.deepEqual(describeAccountRates(draftOfRates(before)), ['+10 %', 'acme/large=20 %', 'acme/small=0 %']);
});
