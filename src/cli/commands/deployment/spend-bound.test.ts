/** Goal: what is announced covers every price that a model may have. Method: prices one at a time. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mostUsd, PLANNED_CALLS } from './spend-bound.ts';

test('each price counts, and a model without one has no bound', () => {
  assert.equal(mostUsd({ input: 0, output: 0, request: 0.5 }), PLANNED_CALLS * 0.5);
  assert.ok(Number(mostUsd({ input: 1e-6, output: 0, request: 0 })) > 0);
  assert.ok(Number(mostUsd({ input: 0, output: 1e-6, request: 0 })) > 0);
  assert.equal(mostUsd({ input: null, output: 1e-6, request: 0 }), null);
  assert.equal(mostUsd({ input: 1e-6, output: null, request: 0 }), null);
});
