/**
 * Goal: what one tenant adds to shared memory is bounded, and exceeding a bound returns an error. Method: real registries over a store in
 * memory, filled to their limits.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../core/clock.ts';
import { accountId, projectId } from '../core/ids.ts';
import { Secret } from '../core/secret.ts';
import { openAccountsInMemory } from '../storage/sqlite/engine/kysely-under-test.ts';
import { ACCOUNT_PERMISSIONS_LENGTH_MAX, PROJECTS_MAX } from './bounds.ts';
import { KeyRegistry } from './key-registry.ts';
import { checkPermissions, mayUseModel, type Permissions, permissionsLength } from './limits.ts';
import { LIST_MAX, PATTERN_LENGTH_MAX, PERMISSIONS_LENGTH_MAX } from './list-bounds.ts';
import { openMirror } from './open-mirror.ts';
import { ScopeRegistry } from './scope-registry.ts';
import { Pepper } from './secret/pepper.ts';

const patterns = (count: number, length: number) =>
  Array.from({ length: count }, (_, index) => `${index}`.padStart(6, '0').padEnd(length, 'x'));

test('lists of the maximum size are accepted; larger ones are refused with the limit', () => {
  const accept = (permissions: Permissions) => checkPermissions(permissions, ['chat']);
  accept({ modelsAllow: patterns(LIST_MAX, 30) });
  accept({ modelsAllow: patterns(54, PATTERN_LENGTH_MAX) });
  accept({ ips: Array.from({ length: LIST_MAX }, () => '10.0.0.0/8') });
  for (const [permissions, param, message] of [
    [{ modelsAllow: patterns(LIST_MAX + 1, 8) }, 'permissions.modelsAllow', /at most 500 entries/],
    [{ modelsDeny: patterns(1, PATTERN_LENGTH_MAX + 1) }, 'permissions.modelsDeny[0]', /at most 300 characters/],
    [{ ips: [`10.0.0.0/8${' '.repeat(100)}`] }, 'permissions.ips[0]', /neither an IP address/],
    [
      { modelsAllow: patterns(300, 30), modelsDeny: patterns(300, 30) },
      'permissions',
      /at most 16384 characters in total/,
    ],
  ] as const)
    assert.throws(
      () => accept(permissions),
      (error: { code?: string; param?: string; message: string }) =>
        error.code === 'invalid_value' && error.param === param && message.test(error.message),
    );
});

async function open(keysMax = 10_000) {
  const clock = new ManualClock();
  const { store, transactions, feed } = await openAccountsInMemory(clock);
  for (const name of ['Acme', 'Other']) {
    const account = await store.createAccount({ name, createdAt: 0 });
    await store.createProject({ accountId: account.id, name: 'Default', createdAt: 0 });
  }
  const pepper = new Pepper(new Secret('5a'.repeat(32)));
  const mirror = await openMirror({ store, feed }, pepper, clock.now());
  const keys = new KeyRegistry({ store, transactions, mirror, pepper, clock, keysMax });
  const scopes = new ScopeRegistry({ store, transactions, mirror: mirror.scopes, clock });
  const create = (permissions: Permissions = {}, project = 1) =>
    keys.create({ projectId: projectId(project), name: null, permissions });
  return { keys, scopes, mirror, store, create };
}

const REFUSED = { code: 'conflict', status: 409 };

test('keys in use are limited per account; revoking one allows another', async () => {
  const { keys, create } = await open(3);
  const [first] = [await create(), await create(), await create()];
  await assert.rejects(create(), REFUSED);
  await create({}, 2);
  await keys.revoke(first.key.id);
  await create();
  await assert.rejects(create(), REFUSED);
});

test('a key of a full account can be rotated, but not without limit', async () => {
  const { keys, create } = await open(1);
  let { key } = await create();
  for (let rotations = 0; rotations < 10; rotations += 1) {
    const rotated = await keys.rotate(key.id, { graceMs: 0 });
    assert.ok(rotated !== null);
    key = rotated.successor.key;
  }
  await assert.rejects(keys.rotate(key.id, { graceMs: 0 }), REFUSED);
});

test('the lists of all keys of an account are bounded together; revoking keys or shortening lists frees space', async () => {
  const { keys, mirror, create } = await open();
  const large = { modelsAllow: patterns(54, 300) };
  const length = permissionsLength(large);
  const keysThatFit = Math.floor(ACCOUNT_PERMISSIONS_LENGTH_MAX / length);
  for (let made = 0; made < keysThatFit; made += 1) await create(large);
  await assert.rejects(create(large), REFUSED);
  const { key: small } = await create();
  await assert.rejects(keys.update(small.id, { permissions: large }), REFUSED);
  await assert.rejects(keys.rotate(mirror.get(1 as never)?.id ?? small.id, { graceMs: 0 }), REFUSED);
  await create(large, 2);
  const [revoked, shortened] = [...mirror.list()];
  await keys.revoke(revoked?.id ?? small.id);
  await keys.update(small.id, { permissions: large });
  await keys.update(shortened?.id ?? small.id, { permissions: {} });
  await create(large);
  const kept = [...mirror.list()].filter((key) => key.accountId === accountId(1));
  const held = kept.reduce((sum, key) => sum + permissionsLength(key.permissions), 0);
  assert.ok(held <= ACCOUNT_PERMISSIONS_LENGTH_MAX, String(held));
});

test('a stored row whose lists exceed the limits permits nothing, and its lists are not loaded', async () => {
  const { store, mirror } = await open();
  const { key } = await (async () => {
    const { create } = await open();
    return create();
  })();
  let { seq } = key;
  for (const permissions of [
    { modelsAllow: ['acme/*', ...patterns(LIST_MAX, 8)] },
    { modelsDeny: patterns(100, PERMISSIONS_LENGTH_MAX) },
  ]) {
    seq += 1;
    mirror.put({ ...key, permissions, seq });
    const held = mirror.get(key.id)?.permissions ?? {};
    assert.equal(permissionsLength(held), 0);
    assert.equal(mayUseModel(held, 'acme/large'), false);
    const [project] = await store.projects();
    assert.ok(project !== undefined);
    mirror.scopes.putProject({ ...project, permissions, seq: project.seq + seq });
    assert.equal(mayUseModel(mirror.scopes.project(project.id).permissions, 'acme/large'), false);
  }
});

test('an account has at most a thousand projects', async () => {
  const { scopes } = await open();
  for (let made = 1; made < PROJECTS_MAX; made += 1)
    await scopes.createProject({ accountId: accountId(1), name: `project ${made}` });
  await assert.rejects(scopes.createProject({ accountId: accountId(1), name: 'one more' }), REFUSED);
  await scopes.createProject({ accountId: accountId(2), name: 'one more' });
});
