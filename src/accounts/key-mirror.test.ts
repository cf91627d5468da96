/** Goal: the mirror finds every key that was put into it and no other, at any size. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accountId, keyId, projectId } from '../core/ids.ts';
import { Secret } from '../core/secret.ts';
import { KeyMirror } from './key-mirror.ts';
import type { Key } from './keys.ts';
import { NO_CAPTURE } from './ports.ts';
import { Pepper } from './secret/pepper.ts';

const pepper = new Pepper(new Secret('0123456789abcdef'.repeat(4)));

test('ten thousand keys are each found by secret and by id, and nothing else is found', async () => {
  const mirror = new KeyMirror(pepper);
  await mirror.load(keys(10_000));
  assert.equal(mirror.size, 10_000);
  for (let id = 1; id <= 10_000; id += 1) {
    assert.equal(mirror.find(`secret ${id}`)?.id, id);
    assert.equal(mirror.get(keyId(id))?.name, `Key ${id}`);
    assert.equal(mirror.find(`other ${id}`), undefined);
  }
  assert.equal(mirror.get(keyId(10_001)), undefined);
  assert.equal(mirror.findDigest(pepper.digest('secret 77'))?.id, 77);
  assert.equal(mirror.findDigest(pepper.digest('other 77')), undefined);
  assert.deepEqual(
    [...mirror.list()].map((key) => key.id),
    Array.from({ length: 10_000 }, (_, index) => index + 1),
  );
});

test('a mirrored key has every field of the original', () => {
  const mirror = new KeyMirror(pepper);
  const original = {
    ...key(1),
    rootId: keyId(9),
    retiringAt: 7,
    updatedAt: 8,
    limits: { requestsPerMinute: 6 },
    permissions: { ips: ['10.0.0.1'] },
    expiresAt: 5,
    createdBy: 'ada',
  };
  mirror.put(original);
  const found = mirror.get(original.id);
  assert.ok(found);
  for (const field of Object.keys(original) as (keyof Key)[]) assert.deepEqual(found[field], original[field], field);
});

test('digests with a common prefix, gaps between ids and a changed key are handled', () => {
  const mirror = new KeyMirror(pepper);
  for (const id of [7, 5_000, 3]) mirror.put(key(id));
  mirror.put({ ...key(7), revokedAt: 99, seq: 1 });
  assert.equal(mirror.size, 3);
  assert.equal(mirror.find('secret 7')?.revokedAt, 99);
  assert.equal(mirror.find('secret 3')?.revokedAt, null);
  assert.deepEqual(
    [...mirror.list()].map((each) => each.id),
    [3, 7, 5_000],
  );
  assert.deepEqual(
    [...mirror.newestFirst()].map((each) => each.id),
    [5_000, 7, 3],
  );
});

test('a lookup after a change returns the changed key', () => {
  const mirror = new KeyMirror(pepper);
  mirror.put(key(1));
  assert.equal(mirror.find('secret 1')?.revokedAt, null);
  assert.equal(mirror.find('secret 1')?.revokedAt, null);
  mirror.put({ ...key(1), revokedAt: 99, seq: 1 });
  assert.equal(mirror.find('secret 1')?.revokedAt, 99);
});

test('an older row never replaces a newer one, nor does the same row twice', () => {
  const mirror = new KeyMirror(pepper);
  mirror.put({ ...key(1), revokedAt: 99, seq: 7 });
  for (const seq of [6, 7]) mirror.put({ ...key(1), seq });
  assert.equal(mirror.get(keyId(1))?.revokedAt, 99);
  mirror.put({ ...key(1), name: 'renamed', revokedAt: 99, seq: 8 });
  assert.equal(mirror.get(keyId(1))?.name, 'renamed');
  const { scopes } = mirror;
  const project = { id: projectId(1), accountId: accountId(1), name: 'new', createdAt: 0, archivedAt: 5 };
  scopes.putProject({ ...project, limits: {}, permissions: {}, seq: 4 });
  scopes.putProject({ ...project, archivedAt: null, limits: {}, permissions: {}, seq: 3 });
  assert.equal(scopes.project(projectId(1)).archivedAt, 5);
  const settings = { capture: NO_CAPTURE, limits: {}, permissions: {}, rates: {} };
  const account = { id: accountId(1), name: 'A', createdAt: 0, ...settings };
  scopes.putAccount({ ...account, closedAt: 5, seq: 2 });
  scopes.putAccount({ ...account, closedAt: null, seq: 1 });
  assert.equal(scopes.account(accountId(1)).closedAt, 5);
});

test('an unknown secret is found as soon as its key is added', () => {
  const mirror = new KeyMirror(pepper);
  assert.equal(mirror.find('secret 1'), undefined);
  mirror.put(key(1));
  assert.equal(mirror.find('secret 1')?.id, 1);
});

test('keys with colliding digests are all found', () => {
  const digests = [1, 2, 3].map((last) => Buffer.from([...new Uint8Array(31).fill(9), last]));
  const colliding = Object.assign(Object.create(pepper) as Pepper, {
    digest: (text: string) => digests[Number(text)] ?? Buffer.alloc(32),
  });
  const mirror = new KeyMirror(colliding);
  for (const [index, digest] of digests.entries()) mirror.put({ ...key(index + 1), digest });
  assert.deepEqual(
    [0, 1, 2].map((index) => mirror.find(String(index))?.id),
    [1, 2, 3],
  );
  assert.equal(mirror.find('7'), undefined);
});

test('an id that a database which went back gives a second time belongs to the new key alone', () => {
  const mirror = new KeyMirror(pepper);
  mirror.put({ ...key(1), seq: 5 });
  const digest = pepper.digest('another secret');
  mirror.put({ ...key(1), name: 'another', digest, seq: 3 });
  assert.deepEqual(
    [mirror.find('another secret')?.name, mirror.find('secret 1'), mirror.size],
    ['another', undefined, 1],
  );
  mirror.remove(keyId(1));
  assert.deepEqual([mirror.find('another secret'), mirror.get(keyId(1)), mirror.size], [undefined, undefined, 0]);
  for (let id = 1; id < 2_000; id += 1) mirror.put(key(id));
  assert.equal(mirror.find('secret 1')?.id, 1);
  assert.equal(mirror.find('secret 1999')?.id, 1_999);
});

test('a mirror is unavailable until it has read its whole source', async () => {
  const mirror = new KeyMirror(pepper);
  assert.equal(mirror.state, 'unavailable');
  await assert.rejects(mirror.load(brokenOff()), /source/);
  assert.equal(mirror.state, 'unavailable');
  assert.equal(mirror.size, 1);
  await mirror.load(keys(3));
  assert.equal(mirror.state, 'ready');
  assert.equal(mirror.size, 3);
});

function key(id: number): Key {
  return {
    id: keyId(id),
    rootId: keyId(id),
    projectId: projectId(1),
    accountId: accountId(1),
    name: `Key ${id}`,
    label: 'sk-tp-…wXyZ',
    kind: 'inference',
    digest: pepper.digest(`secret ${id}`),
    pepperId: pepper.id,
    disabled: false,
    createdAt: 1,
    createdBy: null,
    expiresAt: null,
    revokedAt: null,
    retiringAt: null,
    updatedAt: null,
    limits: {},
    permissions: {},
    seq: 0,
  };
}

async function* keys(count: number): AsyncIterable<Key> {
  for (let id = 1; id <= count; id += 1) yield key(id);
}

async function* brokenOff(): AsyncIterable<Key> {
  yield key(1);
  throw new Error('the source broke off');
}
