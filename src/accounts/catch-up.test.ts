/**
 * Goal: two processes on one database decide on current rows and end with the same state in memory. Method: two connections to one file.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { systemClock } from '../core/clock.ts';
import { Secret } from '../core/secret.ts';
import { openAccountsOn } from '../storage/sqlite/engine/kysely-under-test.ts';
import { addMigratedDatabase } from '../storage/sqlite/engine/migrated-database.ts';
import { openDatabase } from '../storage/sqlite/engine/open-database.ts';
import { catchUp } from './catch-up.ts';
import { KeyRegistry } from './key-registry.ts';
import { openMirror } from './open-mirror.ts';
import { ScopeRegistry } from './scope-registry.ts';
import { Pepper } from './secret/pepper.ts';

const PEPPER = new Pepper(new Secret('0123456789abcdef'.repeat(4)));

async function open(path: string, keysMax = 10_000) {
  const database = openDatabase(path, 'NORMAL');
  const { store, transactions, feed } = openAccountsOn(database, systemClock);
  const mirror = await openMirror({ store, feed }, PEPPER, systemClock.now());
  const seq = await feed.last();
  const keys = new KeyRegistry({ store, transactions, mirror, pepper: PEPPER, clock: systemClock, keysMax });
  const scopes = new ScopeRegistry({ store, transactions, mirror: mirror.scopes, clock: systemClock });
  const cut: number[] = [];
  const follow = () => catchUp({ feed, store, mirror, cutCalls: (id) => cut.push(id) }, seq);
  return { database, feed, keys, scopes, mirror, cut, follow };
}

async function openTwo(context: TestContext, keysMax?: number) {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-two-'));
  await addMigratedDatabase(folder);
  const path = join(folder, 'turnpike.db');
  const one = await open(path, keysMax);
  const account = await one.scopes.createAccount({ name: 'Acme' });
  const project = await one.scopes.createProject({ accountId: account.id, name: 'Web' });
  const other = await open(path, keysMax);
  context.after(() => {
    for (const { database } of [one, other]) database.close();
    rmSync(folder, { recursive: true });
  });
  return { one, other, account, project };
}

const codes = async (asked: readonly Promise<unknown>[]) =>
  (await Promise.allSettled(asked)).map((each) => (each.status === 'fulfilled' ? 'ok' : each.reason.code)).toSorted();

test('a process that reads the feed from its last position sees another one’s changes, and cuts the calls it must', async (context) => {
  const { one, other, project } = await openTwo(context);
  const { key } = await one.keys.create({ projectId: project.id, name: 'made' });
  await one.keys.update(key.id, { limits: { requestsPerDay: 3 } });
  const revoked = (await one.keys.create({ projectId: project.id, name: 'revoked' })).key;
  await one.keys.revoke(revoked.id, { now: true });
  await one.scopes.updateProject(project.id, { name: 'Shop' });
  assert.equal(other.mirror.get(key.id), undefined);
  assert.equal(await other.follow(), await one.feed.last());
  assert.deepEqual(other.mirror.get(key.id)?.limits, { requestsPerDay: 3 });
  assert.notEqual(other.mirror.get(revoked.id)?.revokedAt, null);
  assert.equal(other.mirror.scopes.project(project.id).name, 'Shop');
  assert.deepEqual(other.cut, [revoked.id]);
  assert.equal(await other.follow(), await one.feed.last(), 'reading it again changes nothing');
  await one.feed.forgetBefore(systemClock.now() + 1);
  await one.keys.create({ projectId: project.id, name: 'later' });
  assert.equal(await other.follow(), null, 'forgotten changes are not skipped silently');
});

test('when two processes use the same name or create the last allowed key, one is refused', async (context) => {
  const { one, other, account, project } = await openTwo(context, 1);
  const name = (at: typeof one) => at.scopes.createProject({ accountId: account.id, name: 'new' });
  assert.deepEqual(await codes([name(one), name(other)]), ['conflict', 'ok']);
  const make = (at: typeof one) => at.keys.create({ projectId: project.id, name: null });
  assert.deepEqual(await codes([make(one), make(other)]), ['conflict', 'ok']);
});

test('changes of one key by two processes are both kept; rotated by both concurrently, it has one successor', async (context) => {
  const { one, other, project } = await openTwo(context);
  const { id } = (await one.keys.create({ projectId: project.id, name: null })).key;
  await Promise.all([
    one.keys.update(id, ({ limits }) => ({ limits: { ...limits, requestsPerMinute: 5 } })),
    other.keys.update(id, ({ limits }) => ({ limits: { ...limits, requestsPerDay: 9 } })),
  ]);
  await one.follow();
  assert.deepEqual(one.keys.get(id)?.limits, { requestsPerMinute: 5, requestsPerDay: 9 });
  const rotate = (at: typeof one) => at.keys.rotate(id, { graceMs: 0 });
  assert.deepEqual(await codes([rotate(one), rotate(other)]), ['conflict', 'ok']);
});
