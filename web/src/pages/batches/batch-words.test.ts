import assert from 'node:assert/strict';
import { test } from 'node:test';
import { waitingWords } from './batch-words.ts';

test('lines that wait are counted, with the reason in words, or its code', () => {
  assert.equal(waitingWords({ waiting: 0, waiting_for: null }), null);
  assert.equal(waitingWords({ waiting: 1, waiting_for: null }), '1 line waits');
  assert.equal(
    waitingWords({ waiting: 1200, waiting_for: 'upstream_rate_limited' }),
    "1,200 lines wait for the provider's rate limit",
  );
  assert.equal(waitingWords({ waiting: 2, waiting_for: 'http_529' }), '2 lines wait for http_529');
});
