// Goal: shares and changes say nothing where there is nothing to say. Method: sums with zeros.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deltaOf, errorRate, pointsOf } from './measures.ts';

test('there is no error rate without a request', () => {
  assert.equal(errorRate({ requests: 0, failed: 0 }), null);
  assert.equal(errorRate({ requests: 4, failed: 1 }), 0.25);
});

test('a change needs something to compare with', () => {
  assert.equal(deltaOf(5, 0), null);
  assert.equal(deltaOf(null, 3), null);
  assert.equal(deltaOf(6, 4), 0.5);
  assert.equal(deltaOf(0, 4), -1);
});

test('the change of a rate is shown in points, not as a percentage of a percentage', () => {
  assert.equal(Number(pointsOf(0.052, 0.04)?.toFixed(6)), 0.012);
  assert.equal(pointsOf(0.02, 0), 0.02);
  assert.equal(pointsOf(null, 0.02), null);
  assert.equal(pointsOf(0.02, null), null);
});
