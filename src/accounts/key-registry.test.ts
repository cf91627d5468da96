/** Goal: a key works as soon as it is created and stops as soon as it is revoked; a first run can be interrupted. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../core/clock.ts';
import { keyId } from '../core/ids.ts';
import { Secret } from '../core/secret.ts';
import { type AccountsUnderTest, openAccountsInMemory } from '../storage/sqlite/engine/kysely-under-test.ts';
import { authenticate } from './authenticate.ts';
import { prepareFirstRun } from './first-run.ts';
import { KeyRegistry } from './key-registry.ts';
import { openMirror } from './open-mirror.ts';
import { ScopeRegistry } from './scope-registry.ts';
import { Pepper } from './secret/pepper.ts';

const PEPPER = new Pepper(new Secret('0123456789abcdef'.repeat(4)));
const OTHER_PEPPER = new Pepper(new Secret('fedcba9876543210'.repeat(4)));

test('the first run creates an account, a project and a key that works', async () => {
  const opened = await open();
  const { clock, mirror } = opened;
  const first = await firstRun(opened);
  assert.ok(first);
  assert.deepEqual([first.account.name, first.project.name, first.key.name], ['Default', 'Default', 'Key 1']);
  assert.equal(authenticate(['x-api-key', first.secret.reveal()], mirror, clock.now()).id, first.key.id);
  assert.equal(JSON.stringify(first).includes(first.secret.reveal()), false);
});

test('a later run creates nothing, even if the only key is revoked', async () => {
  const opened = await open();
  const { registry, store } = opened;
  const first = await firstRun(opened);
  await registry.revoke(first?.key.id ?? keyId(0));
  assert.equal(await firstRun(opened), null);
  assert.equal((await store.accounts()).length, 1);
});

test('a first run that stopped before the key continues from there', async () => {
  const accounts = await openAccountsInMemory();
  const { store } = accounts;
  const account = await store.createAccount({ name: 'Default', createdAt: 0 });
  const opened = await open(accounts);
  const first = await firstRun(opened);
  assert.equal(first?.account.id, account.id);
  assert.equal((await store.accounts()).length, 1);
  assert.equal((await store.projects()).length, 1);
});

test('a new key is published and works immediately; a revoked one is published and stops immediately', async () => {
  const opened = await open();
  const { registry, clock, feed, mirror } = opened;
  const published: string[] = [];
  feed.subscribe('key', ({ id, revokedAt }) => published.push(`${id} ${revokedAt}`));
  const first = await firstRun(opened);
  assert.ok(first);
  const check = () => authenticate(['x-api-key', first.secret.reveal()], mirror, clock.now());
  assert.equal(check().id, first.key.id);
  const revoked = await registry.revoke(first.key.id);
  assert.equal(revoked?.after.revokedAt, clock.now());
  assert.throws(check, { code: 'invalid_api_key' });
  assert.deepEqual(published, ['1 null', `1 ${clock.now()}`]);
  assert.deepEqual(
    [...registry.list()].map((key) => key.revokedAt),
    [clock.now()],
    'it stays in the list',
  );
  assert.equal(await registry.revoke(keyId(99)), null);
});

test('a revocation that cannot be stored has no effect', async () => {
  const opened = await open();
  const { registry, clock, mirror, setFailing } = opened;
  const first = await firstRun(opened);
  assert.ok(first);
  setFailing(true);
  await assert.rejects(registry.revoke(first.key.id), /disk is gone/);
  assert.equal(authenticate(['x-api-key', first.secret.reveal()], mirror, clock.now()).id, first.key.id);
});

test('the store receives the digest and the label, never the secret', async () => {
  const opened = await open();
  const { store } = opened;
  const first = await firstRun(opened);
  assert.ok(first);
  const [stored] = await Array.fromAsync(store.keys());
  assert.deepEqual(stored?.digest, PEPPER.digest(first.secret.reveal()));
  assert.equal(stored?.pepperId, PEPPER.id);
  assert.ok(!JSON.stringify(stored).includes(first.secret.reveal().slice(6, 40)));
});

test('a change applies to the next call and is published; limits are replaced as a whole', async () => {
  const opened = await open();
  const { registry, clock, feed, mirror } = opened;
  const changed: number[] = [];
  const first = await firstRun(opened);
  assert.ok(first);
  feed.subscribe('key', ({ id }) => changed.push(id));
  const check = () => authenticate(['x-api-key', first.secret.reveal()], mirror, clock.now());
  await registry.update(first.key.id, { disabled: true, limits: { requestsPerMinute: 5, concurrentCalls: 2 } });
  assert.throws(check, { code: 'invalid_api_key' });
  await registry.update(first.key.id, { disabled: false, limits: { requestsPerMinute: 6 }, name: 'renamed' });
  assert.deepEqual([check().name, check().limits], ['renamed', { requestsPerMinute: 6 }]);
  assert.deepEqual(changed, [1, 1]);
  assert.equal(await registry.update(keyId(99), { disabled: true }), null);
});

test('a revocation may cut running calls, also when repeated later', async () => {
  const opened = await open();
  const { registry, clock, feed } = opened;
  const cut: number[] = [];
  feed.subscribe('cut', (id) => cut.push(id));
  const first = await firstRun(opened);
  assert.ok(first);
  const revokedAt = (await registry.revoke(first.key.id))?.after.revokedAt;
  clock.advance(1000);
  assert.deepEqual(cut, []);
  assert.equal((await registry.revoke(first.key.id, { now: true }))?.after.revokedAt, revokedAt);
  assert.deepEqual(cut, [first.key.id]);
});

test('concurrent changes and revocations reach memory in the order of the store', async () => {
  const opened = await open();
  const { registry, clock, mirror } = opened;
  const first = await firstRun(opened);
  assert.ok(first);
  const { id } = first.key;
  const changes = [
    registry.update(id, { name: 'renamed' }),
    registry.revoke(id),
    registry.update(id, { name: 'again' }),
  ];
  await Promise.all(changes);
  assert.deepEqual([mirror.get(id)?.name, mirror.get(id)?.revokedAt], ['again', clock.now()]);
});

test('two concurrent changes that depend on the current value are both kept', async () => {
  const opened = await open();
  const { registry } = opened;
  const first = await firstRun(opened);
  assert.ok(first);
  const { id } = first.key;
  await Promise.all([
    registry.update(id, ({ limits }) => ({ limits: { ...limits, requestsPerMinute: 5 } })),
    registry.update(id, ({ limits }) => ({ limits: { ...limits, requestsPerDay: 9 } })),
  ]);
  assert.deepEqual(registry.get(id)?.limits, { requestsPerMinute: 5, requestsPerDay: 9 });
});

test('a start with another pepper is refused while active keys need the old one', async () => {
  const opened = await open();
  const { registry, clock, feed, store } = opened;
  const first = await firstRun(opened);
  assert.ok(first);
  await assert.rejects(
    openMirror({ store, feed }, OTHER_PEPPER, clock.now()),
    /None of the 1 active keys was created with the current pepper/,
  );
  assert.equal((await openMirror({ store, feed }, PEPPER, clock.now())).size, 1);
  await registry.revoke(first.key.id);
  assert.equal((await openMirror({ store, feed }, OTHER_PEPPER, clock.now())).state, 'ready');
});

async function firstRun({ scopes, registry: keys, store, transactions }: Awaited<ReturnType<typeof open>>) {
  return (await prepareFirstRun({ scopes, keys, store, transactions }))?.makeKey() ?? null;
}

async function open(accounts: AccountsUnderTest | null = null) {
  const clock = new ManualClock();
  const { store, transactions, feed, setFailing } = accounts ?? (await openAccountsInMemory(clock));
  const mirror = await openMirror({ store, feed }, PEPPER, clock.now());
  const scopes = new ScopeRegistry({ store, transactions, mirror: mirror.scopes, clock });
  const registry = new KeyRegistry({ store, transactions, mirror, pepper: PEPPER, clock });
  return { store, transactions, scopes, clock, mirror, feed, setFailing, registry };
}
