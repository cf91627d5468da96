/** Goal: the thresholds are those of the documentation. Method: a table of cases. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type HealthState, healthState } from './health-state.ts';

interface Row {
  readonly when: string;
  readonly good?: number;
  readonly failed?: number;
  readonly limited?: number;
  readonly inARow?: number;
  readonly wasGood?: boolean;
  readonly before?: HealthState;
  readonly state: HealthState;
}

const ROWS: readonly Row[] = [
  { when: 'nothing was called', state: 'unknown' },
  { when: 'one call failed and none was answered', failed: 1, inARow: 1, state: 'unknown' },
  { when: 'one call was answered', good: 1, wasGood: true, state: 'good' },
  { when: 'the last answer was long ago', wasGood: true, state: 'good' },
  { when: 'one call failed after many', good: 50, failed: 1, inARow: 1, wasGood: true, state: 'good' },
  { when: 'two in a row failed and nothing else was called', failed: 2, inARow: 2, state: 'failing' },
  { when: 'two in a row failed long ago and nothing was called since', inARow: 2, wasGood: true, state: 'failing' },
  { when: 'two in a row failed among many', good: 50, failed: 2, inARow: 2, wasGood: true, state: 'good' },
  { when: 'three of fifteen failed', good: 12, failed: 3, inARow: 1, wasGood: true, state: 'failing' },
  { when: 'three of sixteen failed', good: 13, failed: 3, inARow: 1, wasGood: true, state: 'good' },
  {
    when: 'it was failing and a tenth still fails',
    good: 27,
    failed: 3,
    wasGood: true,
    before: 'failing',
    state: 'failing',
  },
  { when: 'it was dead and a tenth still fails', good: 27, failed: 3, wasGood: true, before: 'dead', state: 'failing' },
  {
    when: 'it was failing and less than a tenth fails',
    good: 28,
    failed: 3,
    wasGood: true,
    before: 'failing',
    state: 'good',
  },
  { when: 'five in a row failed among many', good: 500, failed: 5, inARow: 5, wasGood: true, state: 'dead' },
  { when: 'five in a row failed long ago', inARow: 5, wasGood: true, before: 'dead', state: 'dead' },
  { when: 'three of fifteen were rate limited', good: 12, limited: 3, wasGood: true, state: 'limited' },
  { when: 'three of sixteen were rate limited', good: 13, limited: 3, wasGood: true, state: 'good' },
  { when: 'all were rate limited', limited: 2, wasGood: true, state: 'limited' },
  { when: 'few calls failed: limits are not failures', good: 10, failed: 1, limited: 2, wasGood: true, state: 'good' },
  { when: 'many fail and many are rate limited', good: 5, failed: 5, limited: 5, wasGood: true, state: 'failing' },
];

for (const { when, good = 0, failed = 0, limited = 0, inARow = 0, wasGood = false, before = 'unknown', state } of ROWS)
  test(`${state} if ${when}`, () => {
    assert.equal(healthState({ recent: { good, failed, limited }, failedInARow: inARow, wasGood }, before), state);
  });
