/** Goal: a row of figures reads as a sentence that is true. Method: one table. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isFailing, isTroubled, recentWords, replacedWords } from './health.ts';

const NONE = { state: 'good', good: 0, failed: 0, limited: 0, failed_in_a_row: 0, error_rate: null } as const;

test('recent health is described in one sentence', () => {
  assert.equal(recentWords(NONE), 'No requests in the last 5 minutes.');
  assert.equal(recentWords({ ...NONE, state: 'dead', failed_in_a_row: 7 }), 'The last 7 requests failed.');
  assert.match(
    recentWords({ ...NONE, state: 'dead', good: 18, failed: 16, failed_in_a_row: 5, error_rate: 0.4706 }),
    /^The last 5 requests failed\. 16 of 34 requests in the last 5 minutes failed \(47(\.\d)?%\)\.$/,
  );
  assert.equal(recentWords({ ...NONE, good: 1, error_rate: 0 }), '1 request in the last 5 minutes, none failed.');
  assert.equal(
    recentWords({ ...NONE, good: 1200, error_rate: 0 }),
    '1200 requests in the last 5 minutes, none failed.',
  );
  assert.match(
    recentWords({ ...NONE, good: 15, failed: 3, limited: 2, error_rate: 0.1667 }),
    /^3 of 20 requests in the last 5 minutes failed \(1\d(\.\d)?%\), 2 rate limited\.$/,
  );
});

test('a rate limit is a problem but not a failure; an unused provider is neither', () => {
  const of = (state: 'limited' | 'dead' | 'good') => ({ health: { state } }) as Parameters<typeof isFailing>[0];
  assert.deepEqual([isTroubled(of('limited')), isFailing(of('limited'))], [true, false]);
  assert.deepEqual([isTroubled(of('dead')), isFailing(of('dead'))], [true, true]);
  assert.deepEqual([isTroubled(of('good')), isTroubled({ health: null })], [false, false]);
});

test('where one of several credentials is rejected, that is said in place of what failed before', () => {
  const credential = (state: 'ready' | 'rejected') => ({
    ...{ id: null, hint: null, state, rejected_for: [], rests_until: null, created_at: null },
  });
  const of = (code: string, ...states: readonly ('ready' | 'rejected')[]) =>
    replacedWords({
      health: { state: 'dead', last_failure: { code } },
      credentials: states.map(credential),
    } as unknown as Parameters<typeof replacedWords>[0]);
  const REJECTED = 'upstream_credential_rejected';
  assert.equal(of(REJECTED, 'rejected', 'ready'), '1 of 2 credentials rejected. Requests use the others.');
  for (const all of [of(REJECTED, 'rejected', 'rejected'), of(REJECTED, 'rejected'), of(REJECTED)])
    assert.equal(all, null);
  assert.equal(of('bad_gateway', 'rejected', 'ready'), null, 'it fails for another reason');
});
