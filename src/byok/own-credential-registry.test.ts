/**
 * Goal: own credentials that cannot be opened, or whose rows cannot be read, are refused and listed, and are used once they can be. Method: the
 * registry over rows in memory, and a sealer whose key comes and goes.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../core/clock.ts';
import { accountId } from '../core/ids.ts';
import { NOWHERE } from '../providers/outside.ts';
import { OwnCredentialRegistry } from './own-credential-registry.ts';
import type { OwnCredentialId, OwnCredentialStore, StoredOwnCredential } from './ports.ts';

const ACME = accountId(1);

function stored(name: string, changes: Partial<StoredOwnCredential> = {}): StoredOwnCredential {
  return {
    id: name as OwnCredentialId,
    accountId: ACME,
    projectId: null,
    kind: 'openai',
    name,
    origin: null,
    options: {},
    models: null,
    use: 'first',
    fallback: true,
    enabled: true,
    position: 0,
    secret: Buffer.from(`secret-of-${name}`),
    hint: null,
    previous: null,
    previousUntil: null,
    createdAt: 0,
    createdBy: 'user:1',
    updatedAt: 0,
    standing: 'untested',
    standingAt: null,
    seq: 1,
    ...changes,
  };
}

async function open(rows: readonly StoredOwnCredential[]) {
  const table = new Map(rows.map((row) => [row.id, row]));
  const keys = { isThere: false };
  const updated: OwnCredentialId[] = [];
  const store = {
    list: async () => [...table.values()],
    find: async (id: OwnCredentialId) => table.get(id) ?? null,
    async update(id: OwnCredentialId) {
      updated.push(id);
      return table.get(id) ?? null;
    },
  } as unknown as OwnCredentialStore;
  const registry = await OwnCredentialRegistry.open({
    store,
    feed: { subscribe: () => () => undefined },
    sealer: {
      seal: (plain) => Buffer.from(plain),
      open(sealed) {
        if (!keys.isThere) throw new Error('its key of the ring is not there');
        return Buffer.from(sealed);
      },
    },
    outside: NOWHERE,
    clock: new ManualClock(5_000),
    complaintAbout: () => null,
  });
  const find = (name: string) => registry.find(ACME, name);
  return { registry, table, keys, updated, find };
}

test('what could not be decrypted is tried again, and used once its key is there', async () => {
  const { registry, keys, find } = await open([stored('mine'), stored('other')]);
  assert.match(find('mine').problem ?? '', /cannot be decrypted/);
  assert.equal(find('mine').service, null);
  await registry.openAgain();
  assert.notEqual(find('mine').problem, null, 'its key is still missing');
  keys.isThere = true;
  await registry.openAgain();
  for (const name of ['mine', 'other']) {
    assert.equal(find(name).problem, null);
    assert.equal(find(name).secret?.reveal(), `secret-of-${name}`);
  }
  assert.deepEqual(
    registry.of(ACME).map(({ service }) => service === null),
    [false, false],
  );
});

test('one that was deleted meanwhile is left to the feed, and one that works is left alone', async () => {
  const { registry, table, keys, find } = await open([stored('mine'), stored('gone')]);
  keys.isThere = true;
  table.delete('gone' as OwnCredentialId);
  await registry.openAgain();
  const mine = find('mine');
  assert.equal(mine.problem, null);
  assert.notEqual(find('gone').problem, null);
  await registry.openAgain();
  assert.equal(find('mine'), mine);
});

test('a row that cannot be read is listed and never used, and its sweep writes nothing over it', async () => {
  const damaged = stored('damaged', { isUnreadable: true, use: 'only', fallback: false, previousUntil: 1 });
  const { registry, table, keys, updated, find } = await open([damaged, stored('old', { previousUntil: 1 })]);
  keys.isThere = true;
  await registry.openAgain();
  assert.match(find('damaged').problem ?? '', /cannot be read/);
  assert.equal(find('damaged').service, null);
  await registry.forgetPrevious();
  assert.deepEqual(updated, ['old']);
  // Its row was corrected.
  table.set(damaged.id, stored('damaged'));
  await registry.openAgain();
  assert.equal(find('damaged').problem, null);
  assert.equal(find('damaged').secret?.reveal(), 'secret-of-damaged');
});
