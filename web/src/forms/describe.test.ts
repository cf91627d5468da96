// Goal: limits are described in plain words, with correct singulars. Method: rates, written out.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeRates } from './describe.ts';

test('one is not several', () => {
  const rates = { requests_per_minute: 1, requests_per_day: 2, tokens_per_minute: null, concurrent_calls: 1 };
  assert.deepEqual(describeRates(rates), ['1 request per minute', '2 requests per day', '1 concurrent request']);
});
