/**
 * Goal: whatever happens to several nodes, their disks, clocks and network, no balance and no budget is exceeded, and no call that was
 * answered is lost. Method: the seeded simulator, a small part of what `npm run prove` runs; a failure names its seed.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { raceForLast } from './nodes-simulator/race-for-last.ts';
import { simulateNodes } from './nodes-simulator/simulate-nodes.ts';
import { seedOf } from './support/seeded.ts';

const ACTIONS = 1_200;
const RACES = 12;

/** Without these a run has proven nothing. */
const SEEN = [
  'answer lost after the commit',
  'bank not reached',
  'cap lowered',
  'hold raised',
  'message arrived twice',
  'one call got all there is',
  'posted topup',
  'refused balance_reserved',
  'refused ledger_unavailable',
];

test('nodes keep every promise about money through kills, partitions, pauses, lost messages and failovers', async () => {
  const { actions, seen } = await simulateNodes(seedOf(), ACTIONS);
  assert.equal(actions, ACTIONS);
  assert.deepEqual(
    SEEN.filter((what) => !seen.has(what)),
    [],
  );
});

test('1,000 calls at once on four nodes for 100 holds: exactly 100 are served, in whatever order messages arrive', async () => {
  const seed = seedOf();
  for (let race = 0; race < RACES; race += 1) await raceForLast(seed + race);
});

test('the same seed lives the same life', async () => {
  assert.deepEqual(await simulateNodes(7, 150), await simulateNodes(7, 150));
});
