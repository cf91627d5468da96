/**
 * Goal: whatever callers, disks, clocks and kills do, the bank's memory, the ledger and every caller agree to the
 * nano. Method: the seeded simulator, a small part of what `npm run prove` runs; a failure names its seed.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { simulate } from './simulator/simulate.ts';
import { seedOf } from './support/seeded.ts';

const ACTIONS = { memory: 18_000, sqlite: 2_000 } as const;

/** Without these a run has proven nothing. */
const SEEN = [
  'ended caller_left',
  'ended caller_slow',
  'ended complete',
  'ended drained',
  'ended empty',
  'ended gateway_crashed',
  'ended gateway_failed',
  'ended key_cut',
  'ended refused_upstream',
  'ended upstream_failed',
  'ended upstream_timeout',
  'cap lowered',
  'answered from the cache',
  'charged with a markup',
  'rates replaced under a call',
  'own credential',
  'own credential with a fee',
  'hold raised',
  'target left out',
  'cost above the hold',
  'end refused by the disk',
  'entry sent again',
  'killed with writes under way',
  'posting unanswered',
  'posted adjustment',
  'posted promo',
  'posted refund',
  'posted topup',
  'refused balance_reserved',
  'refused budget_exceeded',
  'refused insufficient_balance',
  'refused ledger_unavailable',
  'stream begun',
];

test('the bank keeps its promises over a ledger in memory, and every kind of end and refusal comes up', async () => {
  const { actions, seen } = await simulate({ seed: seedOf(), actions: ACTIONS.memory, storage: 'memory' });
  assert.equal(actions, ACTIONS.memory);
  assert.deepEqual(
    SEEN.filter((what) => !seen.has(what)),
    [],
  );
});

test('the bank keeps its promises over the storage that is used in earnest', async () => {
  const { actions, kills } = await simulate({ seed: seedOf(), actions: ACTIONS.sqlite, storage: 'sqlite' });
  assert.equal(actions, ACTIONS.sqlite);
  assert.ok(kills > 0);
});

test('the same seed lives the same life', async () => {
  const options = { seed: 7, actions: 1_000, storage: 'memory' } as const;
  assert.deepEqual(await simulate(options), await simulate(options));
});
