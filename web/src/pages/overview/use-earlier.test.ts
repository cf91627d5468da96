/** Goal: nothing is compared with a time that the account was not there for. Method: times around a first call. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasEarlier } from './use-earlier.ts';

const month = ['2026-11-01T00:00:00Z', '2026-11-24T00:00:00Z'] as const;

test('a time is compared only with one that begins after the first call', () => {
  assert.equal(hasEarlier(...month, '2026-10-24T01:45:00Z'), false, 'it began in the middle of the time before');
  assert.equal(hasEarlier(...month, '2026-11-03T00:00:00Z'), false, 'there was no previous period');
  assert.equal(hasEarlier(...month, '2026-10-09T00:00:00Z'), true);
  assert.equal(hasEarlier(...month, '2026-10-09T00:00:01Z'), false);
});
