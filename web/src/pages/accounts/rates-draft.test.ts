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

test('what is no number is sent as it was typed, and never as null, which would remove a markup', () => {
  for (const markup of ['much', '10 or so', 'Infinity', '1.2.3', '--1']) {
    const written = JSON.stringify(ratesBody({ ...draftOfRates(before), markup, ownCredentialFee: markup }, before));
    assert.deepEqual(JSON.parse(written), { markup, own_credential_fee: markup });
  }
  for (const markup of ['7,5', ' 7.5 ', '7.5 %', '7.5%'])
    assert.deepEqual(ratesBody({ ...draftOfRates(before), markup }, before), { markup: 7.5 });
});

test('a model may contain the sign before its percentage', () => {
  assert.deepEqual(readModelMarkup('acme/a=b=1.5'), ['acme/a=b', 1.5]);
  for (const wrong of ['acme/large', '=5', 'acme/large=', 'acme/large=much'])
    assert.equal(readModelMarkup(wrong), null);
});

test('rates are described in a few words', () => {
  assert.deepEqual(describeAccountRates(draftOfRates(before)), ['+10 %', 'acme/large +20 %', 'acme/small +0 %']);
  const models = ['a/a=1', 'a/b=c=2', 'a/c=3', 'a/d=4', 'a/e=5'];
  assert.deepEqual(describeAccountRates({ markup: '', ownCredentialFee: '5', models }), [
    ...['a/a +1 %', 'a/b=c +2 %', 'a/c +3 %', '2 more models', 'own credentials 5 %'],
  ]);
});
