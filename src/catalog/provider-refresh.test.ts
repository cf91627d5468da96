/**
 * Goal: a node serves what another node stored, keeps what has not changed, and tries again what it could not open. Method: two registries
 * over one store in memory, as two nodes have one database.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../core/clock.ts';
import { priceVersionId } from '../core/ids.ts';
import { Secret } from '../core/secret.ts';
import { NOWHERE } from '../providers/outside.ts';
import { openAccountsInMemory } from '../storage/sqlite/engine/kysely-under-test.ts';
import { MemoryListedPrices, MemoryProviders } from './memory-providers.ts';
import type { ProviderInput } from './provider-input.ts';
import { ProviderRegistry } from './provider-registry.ts';

const INPUT: ProviderInput = {
  origin: 'http://10.0.0.5:8000',
  options: {},
  credential: new Secret('sk-canary-0123456789'),
  dialects: null,
  enabled: true,
  models: [],
};

async function openTwo() {
  const store = new MemoryProviders();
  const listedPrices = new MemoryListedPrices();
  const keys = { isThere: true };
  const sealer = {
    seal: (plain: Buffer) => Buffer.from(plain),
    open(sealed: Uint8Array) {
      if (!keys.isThere) throw new Error('its key of the ring is not there');
      return Buffer.from(sealed);
    },
  };
  const open = async () =>
    ProviderRegistry.open({
      fixed: [],
      wholeModels: [],
      store,
      listedPrices,
      sealer,
      outside: NOWHERE,
      pin: async (targets) => targets.map((_, index) => priceVersionId(index + 1)),
      clock: new ManualClock(5000),
      transactions: (await openAccountsInMemory()).transactions,
    });
  return { store, keys, one: await open(), other: await open() };
}

const namesIn = (registry: ProviderRegistry) => [...registry.current.providers.keys()];

test('what another node created, changed or deleted is served; what did not change stays the same object', async () => {
  const { one, other } = await openTwo();
  await one.create('kept', 'custom', INPUT);
  await one.create('gone', 'custom', INPUT);
  await other.refresh();
  assert.deepEqual(namesIn(other), ['kept', 'gone']);
  const kept = other.current.providers.get('kept');
  await one.delete('gone');
  await one.create('later', 'custom', INPUT);
  await other.refresh();
  assert.deepEqual(namesIn(other), ['kept', 'later']);
  assert.equal(other.current.providers.get('kept'), kept, 'its health is kept with it');
  const changed = other.current.providers.get('later');
  await one.update('later', { origin: 'http://10.0.0.6:8000', credential: INPUT.credential });
  await other.refresh();
  assert.notEqual(other.current.providers.get('later'), changed);
  assert.equal(other.find('later').origin, 'http://10.0.0.6:8000');
});

test('without a change nothing is replaced and nobody is notified', async () => {
  const { one, other } = await openTwo();
  await one.create('made', 'custom', INPUT);
  await other.refresh();
  const { current } = other;
  let news = 0;
  other.onChange(() => {
    news += 1;
  });
  await other.refresh();
  assert.equal(other.current, current);
  assert.equal(news, 0);
});

test('a credential that could not be opened is opened once its key is there, without a change of the row', async () => {
  const { keys, one, other } = await openTwo();
  await one.create('sealed', 'custom', INPUT);
  keys.isThere = false;
  await other.refresh();
  assert.deepEqual(namesIn(other), []);
  assert.match(other.find('sealed').problem ?? '', /cannot be decrypted/);
  keys.isThere = true;
  await other.refresh();
  assert.deepEqual(namesIn(other), ['sealed']);
  assert.equal(other.find('sealed').problem, null);
});

test('after the database went back, a row with the same number that differs is taken over', async () => {
  const { store, one, other } = await openTwo();
  await one.create('made', 'custom', INPUT);
  await other.refresh();
  const row = store.rows.get('made');
  assert.ok(row);
  store.rows.set('made', { ...row, enabled: false });
  await other.refresh();
  assert.deepEqual(namesIn(other), ['made'], 'the same number is the same row');
  await other.refresh(true);
  assert.deepEqual(namesIn(other), []);
});
