/** Goal: a key is replaced without refusing its callers at any moment. Method: a clock that is moved past the grace. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../core/clock.ts';
import { type KeyId, keyId } from '../core/ids.ts';
import { Secret } from '../core/secret.ts';
import { openAccountsInMemory } from '../storage/sqlite/engine/kysely-under-test.ts';
import { authenticate } from './authenticate.ts';
import { KeyRegistry } from './key-registry.ts';
import { GRACE_MS_MAX, keyStatus } from './keys.ts';
import { openMirror } from './open-mirror.ts';
import { ScopeRegistry } from './scope-registry.ts';
import { Pepper } from './secret/pepper.ts';

const PEPPER = new Pepper(new Secret('0123456789abcdef'.repeat(4)));
const HOUR_MS = 3_600_000;

test('both secrets are accepted until the grace is over, then only the new one', async () => {
  const { registry, clock, made, works } = await open();
  const rotation = await registry.rotate(made.key.id, { graceMs: 24 * HOUR_MS });
  assert.ok(rotation);
  const { retiring, successor } = rotation;
  assert.equal(keyStatus(retiring, clock.now()), 'retiring');
  assert.equal(keyStatus(successor.key, clock.now()), 'active');
  assert.ok(works(made.secret) && works(successor.secret));
  clock.advance(24 * HOUR_MS - 1);
  assert.ok(works(made.secret) && works(successor.secret));
  clock.advance(1);
  assert.deepEqual([works(made.secret), works(successor.secret)], [false, true]);
});

test('a grace of 0 ends the old secret immediately', async () => {
  const { registry, made, works } = await open();
  const rotation = await registry.rotate(made.key.id, { graceMs: 0 });
  assert.ok(rotation);
  assert.deepEqual([works(made.secret), works(rotation.successor.secret)], [false, true]);
});

test('a successor takes over the key’s settings and counters, along the whole chain', async () => {
  const { registry, clock, made } = await open();
  const second = (await registry.rotate(made.key.id, { graceMs: 0, createdBy: 'ada' }))?.successor.key;
  assert.ok(second);
  const third = (await registry.rotate(second.id, { graceMs: 0 }))?.successor.key;
  assert.ok(third);
  for (const field of ['projectId', 'accountId', 'name', 'kind', 'expiresAt', 'limits', 'permissions'] as const) {
    assert.deepEqual(second[field], made.key[field], field);
    assert.deepEqual(third[field], made.key[field], field);
  }
  assert.deepEqual([second.rootId, third.rootId], [made.key.id, made.key.id]);
  assert.deepEqual([second.createdBy, second.createdAt], ['ada', clock.now()]);
  assert.notDeepEqual(second.digest, made.key.digest);
});

test('the setting of the response cache goes to the successor, and a change of it to both', async () => {
  const { registry, made } = await open();
  await registry.update(made.key.id, { cacheSeconds: 300 });
  const successor = (await registry.rotate(made.key.id, { graceMs: HOUR_MS }))?.successor.key;
  assert.equal(successor?.cacheSeconds, 300);
  const changed = await registry.update(successor?.id ?? assert.fail(), { cacheSeconds: null });
  assert.deepEqual(
    changed?.predecessors.map(({ after }) => [after.id, after.cacheSeconds]),
    [[made.key.id, undefined]],
  );
  assert.equal(registry.get(made.key.id)?.cacheSeconds, undefined);
});

test('the key and its successor are published once both are stored', async () => {
  const { registry, feed, made, works } = await open();
  const published: string[] = [];
  feed.subscribe('key', ({ id }) => published.push(`${id}, the old secret works: ${works(made.secret)}`));
  await registry.rotate(made.key.id, { graceMs: 0 });
  assert.deepEqual(published, ['1, the old secret works: false', '2, the old secret works: false']);
});

test('a key that is not active is not rotated', async () => {
  const { registry, clock, made } = await open();
  const make = () => registry.create({ projectId: made.key.projectId, name: null });
  const [revoked, expired, disabled, retiring] = [await make(), await make(), await make(), await make()];
  await registry.revoke(revoked.key.id);
  await registry.update(expired.key.id, { expiresAt: clock.now() });
  await registry.update(disabled.key.id, { disabled: true });
  await registry.rotate(retiring.key.id, { graceMs: HOUR_MS });
  const before = [...registry.list()].length;
  for (const { key } of [revoked, expired, disabled, retiring])
    await assert.rejects(registry.rotate(key.id, { graceMs: 0 }), { code: 'conflict', message: /only active keys/ });
  assert.equal([...registry.list()].length, before);
  assert.equal(await registry.rotate(keyId(99), { graceMs: 0 }), null);
});

test('of two concurrent rotations, one is refused', async () => {
  const { registry, made } = await open();
  const outcomes = await Promise.allSettled([1, 2].map(() => registry.rotate(made.key.id, { graceMs: HOUR_MS })));
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'rejected'],
  );
  assert.equal([...registry.list()].length, 2);
});

test('a grace is from 0 to 7 days', async () => {
  const { registry, made } = await open();
  for (const graceMs of [-1, GRACE_MS_MAX + 1, 0.5, Number.NaN, Number.POSITIVE_INFINITY])
    await assert.rejects(registry.rotate(made.key.id, { graceMs }), { code: 'invalid_value', param: 'grace' });
  assert.ok(await registry.rotate(made.key.id, { graceMs: GRACE_MS_MAX }));
});

test('an expiry before the end of the grace still applies', async () => {
  const { registry, clock, made, works } = await open();
  await registry.update(made.key.id, { expiresAt: clock.now() + 10 });
  await registry.rotate(made.key.id, { graceMs: HOUR_MS });
  clock.advance(10);
  assert.equal(works(made.secret), false);
});

test('revoking a key of a chain leaves the others as they are', async () => {
  const { registry, made, works } = await open();
  const rotation = await registry.rotate(made.key.id, { graceMs: HOUR_MS });
  assert.ok(rotation);
  await registry.revoke(made.key.id);
  assert.deepEqual([works(made.secret), works(rotation.successor.secret)], [false, true]);
});

test('a rotation that cannot be stored has no effect', async () => {
  const { setFailing, registry, made, works } = await open();
  setFailing(true);
  await assert.rejects(registry.rotate(made.key.id, { graceMs: 0 }), /disk is gone/);
  assert.ok(works(made.secret));
  assert.equal([...registry.list()].length, 1);
});

async function open() {
  const clock = new ManualClock();
  const { store, transactions, feed, setFailing } = await openAccountsInMemory(clock);
  const mirror = await openMirror({ store, feed }, PEPPER, clock.now());
  const registry = new KeyRegistry({ store, transactions, mirror, pepper: PEPPER, clock });
  const scopes = new ScopeRegistry({ store, transactions, mirror: mirror.scopes, clock });
  const account = await scopes.createAccount({ name: 'Acme' });
  const project = await scopes.createProject({ accountId: account.id, name: 'Web' });
  const made = await registry.create({
    projectId: project.id,
    name: 'backend',
    expiresAt: clock.now() + 30 * 24 * HOUR_MS,
    limits: { requestsPerMinute: 60 },
    permissions: { modelsAllow: ['acme/*'] },
  });
  const works = (secret: Secret) => {
    try {
      authenticate(['x-api-key', secret.reveal()], mirror, clock.now());
      return true;
    } catch {
      return false;
    }
  };
  return { setFailing, clock, feed, registry, made, works };
}

const ADMIN_DISABLED = { disabled: true, restrictions: { admin: { disabled: true } } } as const;

test('a change of a key, except of its name, applies to earlier secrets that are still good, and is reported', async () => {
  const { registry, clock, made } = await open();
  const [second, third] = await rotatedTwice(registry, made.key.id);
  const limits = { requestsPerMinute: 1 };
  const permissions = { modelsAllow: ['demo/*'] };
  const changed = await registry.update(third, { ...ADMIN_DISABLED, name: 'new', limits, permissions });
  assert.deepEqual(
    changed?.predecessors.map(({ before, after }) => [after.id, before.disabled, after.disabled]),
    [
      [made.key.id, false, true],
      [second, false, true],
    ],
  );
  for (const id of [made.key.id, second]) {
    const key = registry.get(id);
    assert.deepEqual([key?.disabled, key?.limits, key?.permissions], [true, limits, permissions]);
    assert.deepEqual([key?.restrictions, key?.name === 'new'], [ADMIN_DISABLED.restrictions, false]);
  }
  await registry.update(third, { disabled: false, limits: {}, expiresAt: clock.now() + 9, restrictions: {} });
  for (const id of [made.key.id, second]) {
    const key = registry.get(id);
    assert.deepEqual([key?.disabled, key?.limits, key?.expiresAt], [false, {}, clock.now() + 9]);
  }
});

test('a change of an earlier secret affects only that one, and no later change loosens it', async () => {
  const { registry, made } = await open();
  const [second, third] = await rotatedTwice(registry, made.key.id);
  await registry.update(third, { permissions: {} });
  await registry.update(second, { ...ADMIN_DISABLED, permissions: { modelsAllow: ['demo/*'] } });
  assert.equal(registry.get(third)?.disabled, false);
  await registry.update(third, { disabled: true });
  await registry.update(third, { disabled: false, permissions: { modelsAllow: ['demo/echo', 'lab/*'] } });
  const key = registry.get(second);
  assert.deepEqual([key?.disabled, key?.permissions], [true, { modelsAllow: ['demo/echo'] }]);
  assert.deepEqual(key?.restrictions, ADMIN_DISABLED.restrictions);
});

test('a revocation ends earlier secrets too, and cuts their calls on request; revoking an earlier one keeps later ones', async () => {
  const { registry, feed, clock, made, works } = await open();
  const [second, third] = await rotatedTwice(registry, made.key.id);
  const published: string[] = [];
  feed.subscribe('cut', (id) => published.push(`${id} true`));
  await registry.revoke(second);
  assert.deepEqual(
    [made.key.id, second, third].map((id) => registry.get(id)?.revokedAt === null),
    [false, false, true],
  );
  assert.deepEqual(published, []);
  const fourth = (await registry.rotate(third, { graceMs: HOUR_MS }))?.successor;
  assert.ok(fourth);
  clock.advance(HOUR_MS);
  await registry.revoke(fourth.key.id, { now: true });
  // A call that uses a secret whose grace is over may still be running.
  assert.deepEqual(
    published.toSorted(),
    [made.key.id, second, third, fourth.key.id].map((id) => `${id} true`),
  );
  assert.deepEqual([works(made.secret), works(fourth.secret)], [false, false]);
});

test('revoking or disabling all management keys of a person includes their earlier secrets, whoever rotated them', async () => {
  for (const way of ['revoke', 'disable'] as const) {
    const { registry, made } = await open();
    const asked = { projectId: made.key.projectId, name: null, kind: 'management', createdBy: 'user:1' } as const;
    const first = (await registry.create(asked)).key;
    const second = (await registry.rotate(first.id, { graceMs: HOUR_MS, createdBy: 'user:2' }))?.successor.key;
    assert.ok(second);
    const changed =
      way === 'revoke'
        ? await registry.revokeManagementKeys(made.key.accountId, 'user:2', async () => {})
        : await registry.disableManagementKeysOf('user:2', async () => {});
    assert.deepEqual(
      changed.map(({ id }) => id),
      [first.id, second.id],
    );
    assert.deepEqual([registry.isUsable(first.id), registry.isUsable(second.id)], [false, false]);
  }
});

async function rotatedTwice(registry: KeyRegistry, first: KeyId): Promise<readonly [KeyId, KeyId]> {
  const second = (await registry.rotate(first, { graceMs: HOUR_MS }))?.successor.key;
  assert.ok(second);
  const third = (await registry.rotate(second.id, { graceMs: HOUR_MS }))?.successor.key;
  assert.ok(third);
  return [second.id, third.id];
}
