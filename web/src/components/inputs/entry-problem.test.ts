// Goal: unreadable input is reported and never taken for another figure. Method: texts as people type and paste them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { amountProblem, mayBecomeAmount, wholeNumberProblem } from './entry-problem.ts';

test('an amount is digits and a point', () => {
  for (const text of ['', '0', '5', '5.', '.5', '1000.50', '0.000000001', '999999999']) {
    assert.equal(amountProblem(text), null, text);
  }
  assert.equal(amountProblem('-1.50', true), null);
});

test('signs for thousands, currencies, exponents and words are refused', () => {
  for (const text of [
    '1,000',
    '1.000,50',
    '1 000',
    '$5',
    '5 ',
    '1e3',
    '1e400',
    'ten',
    '.',
    '1.2.3',
    '1_000',
    "1'000",
  ]) {
    assert.notEqual(amountProblem(text), null, text);
  }
  assert.match(amountProblem('1,000') ?? '', /1000\.50, without thousands separators/);
});

test('a minus, and more than fits, have complaints of their own', () => {
  assert.match(amountProblem('-5') ?? '', /positive/);
  assert.match(amountProblem('1234567890') ?? '', /9 digits/);
  assert.match(amountProblem('0.0000000001') ?? '', /9 decimal places/);
  assert.notEqual(amountProblem('-', true), null);
});

test('incomplete input is not an error yet', () => {
  assert.deepEqual(['.', '-', '-.', '1,', ''].map(mayBecomeAmount), [true, true, true, false, false]);
});

test('a number is digits', () => {
  for (const text of ['', '0', '60', '007', '999999999999999']) assert.equal(wholeNumberProblem(text), null, text);
  for (const text of ['1,000', '1.5', '1e400', '-5', '+5', ' 5', 'many', '1000000000000000']) {
    assert.notEqual(wholeNumberProblem(text), null, text);
  }
});
