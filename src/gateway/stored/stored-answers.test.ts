/** Goal: an id is known to its project for as long as the provider keeps the answer. Method: a ledger in memory. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MemoryLedger } from '../../billing/memory-ledger.ts';
import { projectId } from '../../core/ids.ts';
import { digestOf, KEPT_MS, StoredAnswers } from './stored-answers.ts';

const NOW = Date.UTC(2026, 10, 23, 12);
const PROJECT = projectId(2);

function openStored() {
  const ledger = new MemoryLedger(NOW);
  const remember = (id: string, createdAt = NOW) =>
    ledger.stored.push({
      projectId: PROJECT,
      digest: digestOf(id),
      provider: 'a',
      upstreamModel: 'm',
      credential: null,
      createdAt,
    });
  return { ledger, remember, stored: new StoredAnswers(ledger) };
}

test('keepers are returned in the order of the ids, and null for an unknown one', async () => {
  const { remember, stored } = openStored();
  remember('resp_1');
  remember('msg_1');
  const found = await stored.find(PROJECT, ['msg_1', 'resp_2', 'resp_1', 'msg_1'], NOW);
  assert.deepEqual(
    found.map((keeper) => keeper?.provider ?? null),
    ['a', null, 'a', 'a'],
  );
  assert.deepEqual(await stored.find(projectId(3), ['resp_1'], NOW), [null]);
});

test('an id is unknown once the provider has deleted the answer, even before it is forgotten', async () => {
  const { ledger, remember, stored } = openStored();
  remember('old', NOW - KEPT_MS);
  remember('kept', NOW - KEPT_MS + 1);
  const [old, kept] = await stored.find(PROJECT, ['old', 'kept'], NOW);
  assert.equal(old, null);
  assert.notEqual(kept, null);
  await stored.deleteExpired(NOW + 1);
  assert.equal(ledger.stored.length, 1);
});

test('what is stored is a digest of the id, not the id', () => {
  const digest = digestOf('resp_67ccd2bed1ec8190b14f964abc0542670bb6a6b452d3795b');
  assert.equal(digest.length, 16);
  assert.notDeepEqual(digest, digestOf('resp_1'));
});
