/** Goal: projects and accounts in memory match the store, and an archived project's keys stop working immediately. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../core/clock.ts';
import { accountId, projectId } from '../core/ids.ts';
import { Secret } from '../core/secret.ts';
import { openAccountsInMemory } from '../storage/sqlite/engine/kysely-under-test.ts';
import { authenticate } from './authenticate.ts';
import { KeyRegistry } from './key-registry.ts';
import { openMirror } from './open-mirror.ts';
import { ScopeMirror } from './scope-mirror.ts';
import { ScopeRegistry } from './scope-registry.ts';
import { Pepper } from './secret/pepper.ts';

const PEPPER = new Pepper(new Secret('0123456789abcdef'.repeat(4)));

test('what is created and changed is in memory immediately, and after the next start', async () => {
  const { store, scopes, mirror, account, project } = await open();
  await scopes.updateAccount(account.id, { limits: { requestsPerDay: 9 } });
  await scopes.updateProject(project.id, { name: 'Shop', permissions: { modelsDeny: ['acme/*'] } });
  const loaded = new ScopeMirror();
  await loaded.load(store);
  for (const each of [mirror, loaded]) {
    assert.deepEqual(each.account(account.id).limits, { requestsPerDay: 9 });
    assert.equal(each.account(account.id).name, 'Acme');
    assert.equal(each.project(project.id).name, 'Shop');
    assert.deepEqual(each.project(project.id).permissions, { modelsDeny: ['acme/*'] });
    assert.deepEqual(each.projects(), await store.projects());
    assert.deepEqual(each.accounts(), await store.accounts());
  }
});

test('all keys of an archived project are refused immediately; unarchiving makes them good again', async () => {
  const { store, feed, clock, scopes, works, project, secrets } = await open();
  assert.deepEqual(works(), [true, true]);
  const archived = await scopes.updateProject(project.id, { archived: true });
  assert.equal(archived?.after.archivedAt, clock.now());
  assert.deepEqual(works(), [false, false]);
  const restarted = await openMirror({ store, feed }, PEPPER, clock.now());
  for (const secret of secrets)
    assert.throws(() => authenticate(['x-api-key', secret], restarted, clock.now()), { code: 'invalid_api_key' });
  await scopes.updateProject(project.id, { archived: false });
  assert.deepEqual(works(), [true, true]);
});

test('archiving twice keeps the first time, and another change keeps it too', async () => {
  const { clock, scopes, project } = await open();
  const archivedAt = clock.now();
  await scopes.updateProject(project.id, { archived: true });
  clock.advance(1000);
  assert.equal((await scopes.updateProject(project.id, { archived: true }))?.after.archivedAt, archivedAt);
  assert.equal((await scopes.updateProject(project.id, { name: 'Old' }))?.after.archivedAt, archivedAt);
});

test('archiving a project does not affect the keys of others', async () => {
  const { scopes, works, account } = await open();
  const other = await scopes.createProject({ accountId: account.id, name: 'Other' });
  await scopes.updateProject(other.id, { archived: true });
  assert.deepEqual(works(), [true, true]);
});

test('a change that cannot be stored has no effect', async () => {
  const { setFailing, scopes, mirror, works, project } = await open();
  setFailing(true);
  await assert.rejects(scopes.updateProject(project.id, { archived: true }), /disk is gone/);
  await assert.rejects(scopes.createProject({ accountId: project.accountId, name: 'New' }), /disk is gone/);
  assert.deepEqual(works(), [true, true]);
  assert.equal(mirror.projects().length, 1);
  setFailing(false);
  assert.equal(
    (await scopes.updateProject(project.id, { name: 'Shop' }))?.after.name,
    'Shop',
    'the next change succeeds',
  );
});

test('of two concurrent projects with one name, one gets it; another account may use the same name', async () => {
  const { scopes, account, project } = await open();
  const outcomes = async (...asked: readonly Promise<unknown>[]) =>
    (await Promise.allSettled(asked)).map((each) => (each.status === 'fulfilled' ? 'ok' : each.reason.code));
  const make = (name: string, accountId = account.id) => scopes.createProject({ accountId, name });
  assert.deepEqual(await outcomes(make('New'), make('New'), make('Web')), ['ok', 'conflict', 'conflict']);
  const other = await make('Other');
  const rename = (id: typeof project.id, name: string) => scopes.updateProject(id, { name });
  assert.deepEqual(await outcomes(rename(project.id, 'Shop'), rename(other.id, 'Shop')), ['ok', 'conflict']);
  assert.deepEqual(
    await outcomes(rename(other.id, 'Web'), rename(other.id, 'Web')),
    ['ok', 'ok'],
    'the name is free, then its own',
  );
  const elsewhere = await scopes.createAccount({ name: 'Else' });
  assert.deepEqual(await outcomes(make('Web', elsewhere.id)), ['ok']);
});

test('changing something unknown returns null, and reading it throws', async () => {
  const { scopes, mirror } = await open();
  assert.equal(await scopes.updateProject(projectId(99), { name: 'x' }), null);
  assert.equal(await scopes.updateAccount(accountId(99), { name: 'x' }), null);
  assert.equal(mirror.findProject(projectId(99)), undefined);
  assert.equal(mirror.findAccount(accountId(99)), undefined);
  assert.throws(() => mirror.project(projectId(99)), { name: 'AssertionFailed' });
  assert.throws(() => mirror.account(accountId(99)), { name: 'AssertionFailed' });
});

async function open() {
  const clock = new ManualClock();
  const { store, transactions, feed, setFailing } = await openAccountsInMemory(clock);
  const keys = await openMirror({ store, feed }, PEPPER, clock.now());
  const scopes = new ScopeRegistry({ store, transactions, mirror: keys.scopes, clock });
  const account = await scopes.createAccount({ name: 'Acme' });
  const project = await scopes.createProject({ accountId: account.id, name: 'Web' });
  const registry = new KeyRegistry({ store, transactions, mirror: keys, pepper: PEPPER, clock });
  const make = async () => (await registry.create({ projectId: project.id, name: null })).secret.reveal();
  const secrets = [await make(), await make()];
  const isGood = (secret: string) => {
    try {
      return authenticate(['x-api-key', secret], keys, clock.now()).projectId === project.id;
    } catch {
      return false;
    }
  };
  return {
    store,
    feed,
    setFailing,
    clock,
    scopes,
    mirror: keys.scopes,
    account,
    project,
    secrets,
    works: () => secrets.map(isGood),
  };
}
