/** Goal: a key is replaced without a moment in which its callers are refused. Method: a clock that is moved past the grace. */
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

test('both secrets are good until the grace is over, then only the new one', async () => {
  const { book, clock, made, works } = await open();
  const rotation = await book.rotate(made.key.id, { graceMs: 24 * HOUR_MS });
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

test('a grace of 0 ends the old secret at once', async () => {
  const { book, made, works } = await open();
  const rotation = await book.rotate(made.key.id, { graceMs: 0 });
  assert.ok(rotation);
  assert.deepEqual([works(made.secret), works(rotation.successor.secret)], [false, true]);
});

test('the successor takes over what the key is, and counts where it counted, along the whole chain', async () => {
  const { book, clock, made } = await open();
  const second = (await book.rotate(made.key.id, { graceMs: 0, createdBy: 'ada' }))?.successor.key;
  assert.ok(second);
  const third = (await book.rotate(second.id, { graceMs: 0 }))?.successor.key;
  assert.ok(third);
  for (const field of ['projectId', 'accountId', 'name', 'kind', 'expiresAt', 'limits', 'permissions'] as const) {
    assert.deepEqual(second[field], made.key[field], field);
    assert.deepEqual(third[field], made.key[field], field);
  }
  assert.deepEqual([second.rootId, third.rootId], [made.key.id, made.key.id]);
  assert.deepEqual([second.createdBy, second.createdAt], ['ada', clock.now()]);
  assert.notDeepEqual(second.digest, made.key.digest);
});

test('the key and its successor are announced once both count', async () => {
  const { book, feed, made, works } = await open();
  const heard: string[] = [];
  feed.subscribe('key', ({ id }) => heard.push(`${id}, the old secret works: ${works(made.secret)}`));
  await book.rotate(made.key.id, { graceMs: 0 });
  assert.deepEqual(heard, ['1, the old secret works: false', '2, the old secret works: false']);
});

test('a key that is not active is not rotated', async () => {
  const { book, clock, made } = await open();
  const make = () => book.create({ projectId: made.key.projectId, name: null });
  const [revoked, expired, disabled, retiring] = [await make(), await make(), await make(), await make()];
  await book.revoke(revoked.key.id);
  await book.update(expired.key.id, { expiresAt: clock.now() });
  await book.update(disabled.key.id, { disabled: true });
  await book.rotate(retiring.key.id, { graceMs: HOUR_MS });
  const before = [...book.list()].length;
  for (const { key } of [revoked, expired, disabled, retiring])
    await assert.rejects(book.rotate(key.id, { graceMs: 0 }), { code: 'conflict', message: /only an active key/ });
  assert.equal([...book.list()].length, before);
  assert.equal(await book.rotate(keyId(99), { graceMs: 0 }), null);
});

test('of two rotations at once one is refused', async () => {
  const { book, made } = await open();
  const outcomes = await Promise.allSettled([1, 2].map(() => book.rotate(made.key.id, { graceMs: HOUR_MS })));
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'rejected'],
  );
  assert.equal([...book.list()].length, 2);
});

test('a grace is from 0 to 7 days', async () => {
  const { book, made } = await open();
  for (const graceMs of [-1, GRACE_MS_MAX + 1, 0.5, Number.NaN, Number.POSITIVE_INFINITY])
    await assert.rejects(book.rotate(made.key.id, { graceMs }), { code: 'invalid_value', param: 'grace' });
  assert.ok(await book.rotate(made.key.id, { graceMs: GRACE_MS_MAX }));
});

test('an expiry before the end of the grace holds', async () => {
  const { book, clock, made, works } = await open();
  await book.update(made.key.id, { expiresAt: clock.now() + 10 });
  await book.rotate(made.key.id, { graceMs: HOUR_MS });
  clock.advance(10);
  assert.equal(works(made.secret), false);
});

test('revoking a key of a chain leaves the others as they are', async () => {
  const { book, made, works } = await open();
  const rotation = await book.rotate(made.key.id, { graceMs: HOUR_MS });
  assert.ok(rotation);
  await book.revoke(made.key.id);
  assert.deepEqual([works(made.secret), works(rotation.successor.secret)], [false, true]);
});

test('a rotation that cannot be stored changes nothing', async () => {
  const { setFailing, book, made, works } = await open();
  setFailing(true);
  await assert.rejects(book.rotate(made.key.id, { graceMs: 0 }), /disk is gone/);
  assert.ok(works(made.secret));
  assert.equal([...book.list()].length, 1);
});

async function open() {
  const clock = new ManualClock();
  const { store, transactions, feed, setFailing } = await openAccountsInMemory(clock);
  const mirror = await openMirror({ store, feed }, PEPPER, clock.now());
  const book = new KeyRegistry({ store, transactions, mirror, pepper: PEPPER, clock });
  const scopes = new ScopeRegistry({ store, transactions, mirror: mirror.scopes, clock });
  const account = await scopes.createAccount({ name: 'Acme' });
  const project = await scopes.createProject({ accountId: account.id, name: 'Web' });
  const made = await book.create({
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
  return { setFailing, clock, feed, book, made, works };
}

const ADMIN_DISABLED = { disabled: true, restrictions: { admin: { disabled: true } } } as const;

test('what is changed of a key is changed of its earlier secrets that are still good, and told; its name is not', async () => {
  const { book, clock, made } = await open();
  const [second, third] = await rotatedTwice(book, made.key.id);
  const limits = { requestsPerMinute: 1 };
  const permissions = { modelsAllow: ['demo/*'] };
  const changed = await book.update(third, { ...ADMIN_DISABLED, name: 'new', limits, permissions });
  assert.deepEqual(
    changed?.predecessors.map(({ before, after }) => [after.id, before.disabled, after.disabled]),
    [
      [made.key.id, false, true],
      [second, false, true],
    ],
  );
  for (const id of [made.key.id, second]) {
    const key = book.get(id);
    assert.deepEqual([key?.disabled, key?.limits, key?.permissions], [true, limits, permissions]);
    assert.deepEqual([key?.restrictions, key?.name === 'new'], [ADMIN_DISABLED.restrictions, false]);
  }
  await book.update(third, { disabled: false, limits: {}, expiresAt: clock.now() + 9, restrictions: {} });
  for (const id of [made.key.id, second]) {
    const key = book.get(id);
    assert.deepEqual([key?.disabled, key?.limits, key?.expiresAt], [false, {}, clock.now() + 9]);
  }
});

test('a change of an earlier secret alone stays its own, and no later change loosens it', async () => {
  const { book, made } = await open();
  const [second, third] = await rotatedTwice(book, made.key.id);
  await book.update(third, { permissions: {} });
  await book.update(second, { ...ADMIN_DISABLED, permissions: { modelsAllow: ['demo/*'] } });
  assert.equal(book.get(third)?.disabled, false);
  await book.update(third, { disabled: true });
  await book.update(third, { disabled: false, permissions: { modelsAllow: ['demo/echo', 'lab/*'] } });
  const key = book.get(second);
  assert.deepEqual([key?.disabled, key?.permissions], [true, { modelsAllow: ['demo/echo'] }]);
  assert.deepEqual(key?.restrictions, ADMIN_DISABLED.restrictions);
});

test('a revocation ends the earlier secrets too, and cuts their calls where asked; that of an earlier one leaves the later', async () => {
  const { book, feed, clock, made, works } = await open();
  const [second, third] = await rotatedTwice(book, made.key.id);
  const heard: string[] = [];
  feed.subscribe('cut', (id) => heard.push(`${id} true`));
  await book.revoke(second);
  assert.deepEqual(
    [made.key.id, second, third].map((id) => book.get(id)?.revokedAt === null),
    [false, false, true],
  );
  assert.deepEqual(heard, []);
  const fourth = (await book.rotate(third, { graceMs: HOUR_MS }))?.successor;
  assert.ok(fourth);
  clock.advance(HOUR_MS);
  await book.revoke(fourth.key.id, { now: true });
  // A call on a secret whose grace is over may run still.
  assert.deepEqual(
    heard.toSorted(),
    [made.key.id, second, third, fourth.key.id].map((id) => `${id} true`),
  );
  assert.deepEqual([works(made.secret), works(fourth.secret)], [false, false]);
});

test('who revokes or disables all management keys of a person takes their earlier secrets along, whoever rotated', async () => {
  for (const way of ['revoke', 'disable'] as const) {
    const { book, made } = await open();
    const asked = { projectId: made.key.projectId, name: null, kind: 'management', createdBy: 'user:1' } as const;
    const first = (await book.create(asked)).key;
    const second = (await book.rotate(first.id, { graceMs: HOUR_MS, createdBy: 'user:2' }))?.successor.key;
    assert.ok(second);
    const changed =
      way === 'revoke'
        ? await book.revokeManagementKeys(made.key.accountId, 'user:2')
        : await book.disableManagementKeysOf('user:2');
    assert.deepEqual(
      changed.map(({ id }) => id),
      [first.id, second.id],
    );
    assert.deepEqual([book.isUsable(first.id), book.isUsable(second.id)], [false, false]);
  }
});

async function rotatedTwice(book: KeyRegistry, first: KeyId): Promise<readonly [KeyId, KeyId]> {
  const second = (await book.rotate(first, { graceMs: HOUR_MS }))?.successor.key;
  assert.ok(second);
  const third = (await book.rotate(second.id, { graceMs: HOUR_MS }))?.successor.key;
  assert.ok(third);
  return [second.id, third.id];
}
