/** Goal: the slope is that of most points, whatever some are. Method: a line with outliers. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { robustSlope } from './robust-slope.ts';

test('outliers do not change the slope', () => {
  const points = Array.from({ length: 101 }, (_, x) => ({ x, y: 3 * x + (x % 10 === 0 ? 5000 : 0) }));
  assert.equal(robustSlope(points), 3);
});

test('a saw has the slope of what it stands on', () => {
  const points = Array.from({ length: 200 }, (_, x) => ({ x, y: 100 + 0.5 * x + 20 * (x % 8) }));
  assert.ok(Math.abs(robustSlope(points) - 0.5) < 0.1);
});

test('there is none of a single point', () => {
  assert.ok(Number.isNaN(robustSlope([{ x: 1, y: 1 }])));
});
