/** Goal: a paired run says what it shows and no more. Method: ratios by hand. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pairsInWords, startsInWords, verdictOf } from './pairs.ts';

test('a change is judged when the middle half of its pairs lies on one side of the bound', () => {
  assert.equal(verdictOf([0.97, 0.99, 1.0, 1.01, 1.2]), 'yes');
  assert.equal(verdictOf([1.0, 1.04, 1.05, 1.06, 1.07]), 'no');
  assert.equal(verdictOf([1.03, 1.03, 1.03]), 'yes');
});

test('pairs on both sides decide nothing, whatever their median is', () => {
  assert.equal(verdictOf([0.95, 0.97, 1.01, 1.05, 1.06]), 'undecided');
  assert.equal(verdictOf([0.98, 1.0, 1.05, 1.06, 1.08]), 'undecided');
});

test('the line has the median, the quartiles and the verdict', () => {
  assert.equal(
    pairsInWords([0.95, 0.97, 1.01, 1.05, 1.06]),
    '1.010 (quartiles 0.970 to 1.050, 5 pairs): ≤ 1.03: undecided',
  );
});

test('starts have a mean with its standard error, by the median of each', () => {
  assert.equal(startsInWords([[0.98, 0.99, 1.5], [1.01], [1.0, 1.0]]), 'mean of 3 starts 1.000 ± 0.006');
  assert.equal(startsInWords([[1.0]]), '');
});
