// Goal: a typed amount reaches the API as a plain decimal, or not at all. Method: amounts as people type them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { amountOf } from './money-text.ts';

test('an amount that is being typed is completed', () => {
  assert.equal(amountOf('5.'), '5');
  assert.equal(amountOf('.5'), '0.5');
  assert.equal(amountOf('-.000000001'), '-0.000000001');
  assert.equal(amountOf('12.50'), '12.50');
});

test('empty input is not an amount', () => {
  for (const text of ['', '-', '.', '0', '0.00', '-0']) assert.equal(amountOf(text), null, text);
});
