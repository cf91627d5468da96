/**
 * Goal: two processes on one database decide on current rows and end with the same state in memory. Method: two connections to one file.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { KeyRegistry } from '../../accounts/key-registry.ts';
import { openMirror } from '../../accounts/open-mirror.ts';
import { ScopeRegistry } from '../../accounts/scope-registry.ts';
import { Pepper } from '../../accounts/secret/pepper.ts';
import { systemClock } from '../../core/clock.ts';
import type { FeedChange } from '../../core/feed.ts';
import { Secret } from '../../core/secret.ts';
import { openAccountsOn } from '../../storage/sqlite/engine/kysely-under-test.ts';
import { addMigratedDatabase } from '../../storage/sqlite/engine/migrated-database.ts';
import { openDatabase } from '../../storage/sqlite/engine/open-database.ts';
import { AccountTopicsFollower } from './account-topics.ts';
import { FeedFollower, type FollowEvent } from './feed-follower.ts';

const AWAY = 'the connection is gone';
const PEPPER = new Pepper(new Secret('0123456789abcdef'.repeat(4)));

async function open(path: string, keysMax = 10_000) {
  const database = openDatabase(path, 'NORMAL');
  const { store, transactions, feed } = openAccountsOn(database, systemClock);
  const mirror = await openMirror({ store, feed }, PEPPER, systemClock.now());
  const seq = await feed.last();
  const events: FollowEvent[] = [];
  const problems: string[] = [];
  const readAgain: string[] = [];
  const topics = [
    new AccountTopicsFollower({
      feed,
      store,
      mirror,
      clock: systemClock,
      onProblem: (cause) => problems.push(cause.message),
      onRead: (row) => readAgain.push(row),
    }),
  ];
  const follower = new FeedFollower({
    feed,
    topics,
    seq,
    isTrouble: (error) => (error as Error).message === AWAY,
    clock: systemClock,
    onEvent: (event) => events.push(event),
  });
  const keys = new KeyRegistry({ store, transactions, mirror, pepper: PEPPER, clock: systemClock, keysMax });
  const scopes = new ScopeRegistry({ store, transactions, mirror: mirror.scopes, clock: systemClock });
  const cut: number[] = [];
  feed.subscribe('cut', (id) => cut.push(id));
  const pulse = async () => {
    const changes = await feed.since(follower.seq, 1_000);
    return follower.follow({ changes, lastSeq: await feed.last() });
  };
  return { database, store, feed, keys, scopes, mirror, cut, follower, events, problems, readAgain, pulse };
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

test('a process sees another one’s changes after the next pulse, and cuts the calls it must, once', async (context) => {
  const { one, other, project } = await openTwo(context);
  const { key } = await one.keys.create({ projectId: project.id, name: 'made' });
  await one.keys.update(key.id, { limits: { requestsPerDay: 3 } });
  const revoked = (await one.keys.create({ projectId: project.id, name: 'revoked' })).key;
  await one.keys.revoke(revoked.id, { now: true });
  await one.scopes.updateProject(project.id, { name: 'Shop' });
  assert.equal(other.mirror.get(key.id), undefined);
  assert.equal(await other.pulse(), true);
  assert.equal(other.follower.seq, await one.feed.last());
  assert.deepEqual(other.mirror.get(key.id)?.limits, { requestsPerDay: 3 });
  assert.notEqual(other.mirror.get(revoked.id)?.revokedAt, null);
  assert.equal(other.mirror.scopes.project(project.id).name, 'Shop');
  assert.deepEqual(other.cut, [revoked.id]);
  await one.pulse();
  assert.deepEqual(one.cut, [revoked.id], 'its own changes are not delivered a second time');
  assert.deepEqual(other.events, []);
});

test('a key that was deleted elsewhere before anybody saw it is revoked here', async (context) => {
  const { one, other, project } = await openTwo(context);
  const { key } = await one.keys.create({ projectId: project.id, name: 'never shown' });
  await other.pulse();
  await one.store.deleteKey(key.id, 77);
  await other.pulse();
  assert.notEqual(other.mirror.get(key.id)?.revokedAt, null);
  assert.deepEqual(other.mirror.get(key.id)?.digest, key.digest);
});

test('a process that missed changes reads everything, and ends calls of keys that were revoked meanwhile', async (context) => {
  const { one, other, project } = await openTwo(context);
  const [kept, revoked, deleted] = await Promise.all(
    ['kept', 'revoked', 'deleted'].map(async (name) => (await one.keys.create({ projectId: project.id, name })).key),
  );
  assert.ok(kept && revoked && deleted);
  await other.pulse();
  await one.keys.revoke(revoked.id, { now: true });
  await one.store.deleteKey(deleted.id, 77);
  await one.scopes.updateProject(project.id, { name: 'Shop' });
  await one.feed.forgetBefore(systemClock.now() + 1);
  const later = (await one.keys.create({ projectId: project.id, name: 'later' })).key;
  const reading = other.pulse();
  // Meanwhile memory serves on.
  assert.equal(other.mirror.get(kept.id)?.revokedAt, null);
  assert.equal(await reading, true);
  const [missed, followed, ...more] = other.events;
  const to = await one.feed.last();
  assert.deepEqual([missed, more], [{ type: 'changes_missed', from: 5, to }, []]);
  assert.ok(followed?.type === 'changes_followed_again' && followed.to === to && followed.afterMs >= 0);
  assert.equal(other.mirror.get(kept.id)?.revokedAt, null);
  assert.equal(other.mirror.get(later.id)?.name, 'later');
  assert.notEqual(other.mirror.get(revoked.id)?.revokedAt, null);
  assert.notEqual(other.mirror.get(deleted.id)?.revokedAt, null);
  assert.equal(other.mirror.scopes.project(project.id).name, 'Shop');
  assert.deepEqual(other.cut.toSorted(), [revoked.id, deleted.id].toSorted());
});

test('what is revoked while everything is being read is applied at once, and everything is not read again', async (context) => {
  const { one, other, project } = await openTwo(context);
  const { key } = await one.keys.create({ projectId: project.id, name: 'good' });
  await one.feed.forgetBefore(systemClock.now() + 1);
  const allKeys = other.store.keys.bind(other.store);
  const [read, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  other.store.keys = async function* () {
    yield* allKeys();
    read.resolve();
    await held.promise;
  };
  const reading = other.pulse();
  await read.promise;
  await one.keys.revoke(key.id, { now: true });
  const meanwhile = other.pulse();
  const cut = Promise.withResolvers<void>();
  other.feed.subscribe('cut', () => cut.resolve());
  await cut.promise;
  assert.notEqual(other.mirror.get(key.id)?.revokedAt, null);
  held.resolve();
  assert.deepEqual([await reading, await meanwhile], [true, true]);
  assert.equal(await other.pulse(), true);
  assert.deepEqual(other.cut, [key.id]);
  assert.deepEqual(
    other.events.map(({ type }) => type),
    ['changes_missed', 'changes_followed_again'],
  );
});

test('what cannot be applied while everything is being read comes with a later pulse', async (context) => {
  const { one, other, project } = await openTwo(context);
  const { key } = await one.keys.create({ projectId: project.id, name: 'good' });
  await one.feed.forgetBefore(systemClock.now() + 1);
  const allKeys = other.store.keys.bind(other.store);
  const keysById = other.store.keysById.bind(other.store);
  const [read, failed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  other.store.keys = async function* () {
    yield* allKeys();
    read.resolve();
    await failed.promise;
  };
  other.store.keysById = async () => {
    failed.resolve();
    throw new Error('the connection is gone');
  };
  const reading = other.pulse();
  await read.promise;
  await one.keys.revoke(key.id, { now: true });
  const meanwhile = other.pulse();
  await failed.promise;
  other.store.keysById = keysById;
  assert.equal(await reading, true);
  assert.equal(await meanwhile, true);
  assert.notEqual(other.mirror.get(key.id)?.revokedAt, null);
  assert.deepEqual(
    other.events.map(({ type }) => type),
    ['changes_missed', 'changes_not_followed', 'changes_followed_again'],
  );
});

test('numbers with a gap are not relied on: everything is read again', async (context) => {
  const { one, other, project } = await openTwo(context);
  const first = (await one.keys.create({ projectId: project.id, name: 'first' })).key;
  await one.keys.create({ projectId: project.id, name: 'second' });
  one.database.exec(`DELETE FROM changes WHERE topic = 'key' AND id = '${first.id}'`);
  const changes = one.database.prepare('SELECT * FROM changes WHERE seq > ? ORDER BY seq').all(other.follower.seq);
  await other.follower.follow({ changes: changes as unknown as FeedChange[], lastSeq: await one.feed.last() });
  assert.equal(other.mirror.get(first.id)?.name, 'first');
  assert.equal(other.events[0]?.type, 'changes_missed');
});

test('a change that can never be read holds up none after it: everything is read, once', async (context) => {
  const { one, other, project } = await openTwo(context);
  const { key } = await one.keys.create({ projectId: project.id, name: 'revoked' });
  await other.pulse();
  other.store.keysById = async () => {
    throw new Error('invalid input syntax for type integer: "NaN"');
  };
  await one.keys.revoke(key.id);
  assert.equal(await other.pulse(), true);
  assert.notEqual(other.mirror.get(key.id)?.revokedAt, null);
  let reads = 0;
  const { accounts } = other.store;
  other.store.accounts = () => {
    reads += 1;
    return reads === 1 ? Promise.reject(new Error('nor this')) : accounts.call(other.store);
  };
  await one.keys.create({ projectId: project.id, name: 'next' });
  for (let pulse = 0; pulse < 3; pulse += 1) assert.equal(await other.pulse(), false);
  assert.equal(reads, 1, 'a database is not read whole four times a second');
  await one.keys.create({ projectId: project.id, name: 'another' });
  assert.equal(await other.pulse(), true);
});

test('what cannot be read is tried again with the next pulse, and reported once', async (context) => {
  const { one, other, project } = await openTwo(context);
  const { key } = await one.keys.create({ projectId: project.id, name: 'made' });
  const { keysById } = other.store;
  let failures = 0;
  other.store.keysById = async () => {
    failures += 1;
    throw new Error(AWAY);
  };
  assert.equal(await other.pulse(), false);
  assert.equal(await other.pulse(), false);
  other.store.keysById = keysById.bind(other.store);
  assert.equal(await other.pulse(), true);
  assert.equal(failures, 2);
  assert.equal(other.mirror.get(key.id)?.name, 'made');
  assert.deepEqual(
    other.events.map(({ type }) => type),
    ['changes_not_followed', 'changes_followed_again'],
  );
});

test('a row that cannot be read is refused until it is corrected, and does not hold up a revocation', async (context) => {
  const { one, other, account, project } = await openTwo(context);
  const make = async (name: string, projectId = project.id) => (await one.keys.create({ projectId, name })).key;
  const [broken, forged, revoked] = [await make('broken'), await make('forged'), await make('revoked')];
  const second = await one.scopes.createProject({ accountId: account.id, name: 'Shop' });
  const another = await one.scopes.createAccount({ name: 'Else' });
  const third = await one.scopes.createProject({ accountId: another.id, name: 'Else' });
  await other.pulse();
  // By hand, or by a newer version.
  const change = async (table: string, id: number, columns: string) => {
    const seq = (await one.feed.last()) + 1;
    one.database.exec(`UPDATE ${table} SET ${columns}, seq = ${seq} WHERE id = ${id}`);
    one.database.exec(`UPDATE feed SET seq = ${seq}`);
    one.database.exec(`INSERT INTO changes (seq, at, topic, id) VALUES (${seq}, 1, '${table.slice(0, -1)}', '${id}')`);
  };
  await change('keys', broken.id, `limits = '{"budgets":'`);
  await change('keys', forged.id, `digest = zeroblob(32)`);
  await change('projects', second.id, `permissions = 'none'`);
  await change('accounts', another.id, `rates = '{'`);
  await one.keys.revoke(revoked.id, { now: true });
  assert.equal(await other.pulse(), true);
  assert.notEqual(other.mirror.get(revoked.id)?.revokedAt, null);
  assert.deepEqual([other.mirror.get(broken.id)?.disabled, other.mirror.get(forged.id)?.disabled], [true, true]);
  const { scopes } = other.mirror;
  assert.deepEqual(
    [project, second, third].map(({ id }) => scopes.isArchived(id)),
    [false, true, true],
  );
  assert.equal(other.problems.length, 4, other.problems.join());
  await change('keys', broken.id, `limits = '{"requestsPerDay":3}'`);
  await change('projects', second.id, `permissions = '{}'`);
  await change('accounts', another.id, `rates = '{}'`);
  assert.equal(await other.pulse(), true);
  assert.deepEqual(other.readAgain, [`account ${another.id}`, `project ${second.id}`, `key ${broken.id}`]);
  assert.deepEqual(other.mirror.get(broken.id)?.limits, { requestsPerDay: 3 });
  assert.equal(other.mirror.get(broken.id)?.disabled, false);
  assert.deepEqual(
    [project, second, third].map(({ id }) => scopes.isArchived(id)),
    [false, false, false],
  );
});

test('a database that went on from an earlier state is read anew, whatever its numbers, and memory has nothing that is lost', async (context) => {
  const { one, other, account, project } = await openTwo(context);
  const make = async (name: string, projectId = project.id) => one.keys.create({ projectId, name });
  const kept = await make('kept');
  const refused = await make('refused');
  await one.keys.revoke(refused.key.id, { now: true });
  const path = one.database.location() as string;
  const earlier = `${path}.earlier`;
  one.database.exec(`VACUUM INTO '${earlier}'`);
  // The lost tail.
  await one.keys.update(kept.key.id, { limits: { requestsPerDay: 3 } });
  const lostProject = await one.scopes.createProject({ accountId: account.id, name: 'Lost' });
  const lost = await make('lost', lostProject.id);
  await one.scopes.updateProject(project.id, { name: 'Shop' });
  await other.pulse();
  const { seq } = other.follower;
  assert.equal(other.mirror.find(lost.secret.reveal())?.name, 'lost');

  for (const table of ['changes', 'keys', 'projects'] as const) one.database.exec(`DELETE FROM ${table}`);
  one.database.exec(`ATTACH '${earlier}' AS earlier; UPDATE feed SET seq = (SELECT seq FROM earlier.feed)`);
  for (const table of ['changes', 'projects', 'keys'] as const)
    one.database.exec(`INSERT INTO ${table} SELECT * FROM earlier.${table}`);
  one.database.exec(
    `UPDATE sqlite_sequence SET seq = (SELECT seq FROM earlier.sqlite_sequence AS was WHERE was.name = sqlite_sequence.name)
     WHERE name = 'keys'`,
  );
  // In that state the id is given to another key, and its number is below those that memory knows.
  const again = await make('again');
  assert.equal(again.key.id, lost.key.id);
  other.follower.distrust();
  assert.deepEqual([other.follower.wentBack, other.follower.seq], [true, 0]);
  const reading = other.pulse();
  const good = () => other.mirror.find(kept.secret.reveal())?.revokedAt === null;
  const isRefused = () => other.mirror.find(refused.secret.reveal())?.revokedAt !== null;
  for (let turn = 0; turn < 5; turn += 1) {
    assert.ok(good() && isRefused(), 'there is no gap');
    await Promise.resolve();
  }
  assert.equal(await reading, true);
  assert.equal(other.follower.wentBack, false);
  assert.ok(good() && isRefused());
  assert.deepEqual(other.mirror.get(kept.key.id)?.limits, {});
  assert.equal(other.mirror.find(lost.secret.reveal()), undefined);
  assert.equal(other.mirror.find(again.secret.reveal())?.name, 'again');
  assert.equal(other.mirror.scopes.project(project.id).name, 'Web');
  assert.equal(other.mirror.scopes.findProject(lostProject.id), undefined);
  assert.equal(other.follower.seq, await one.feed.last());
  assert.ok(other.follower.seq < seq);
  assert.deepEqual(
    other.events.map(({ type }) => type),
    ['database_went_back', 'database_followed_again'],
  );
  await one.keys.revoke(kept.key.id);
  await other.pulse();
  assert.notEqual(other.mirror.get(kept.key.id)?.revokedAt, null, 'and it is followed from there');
});

test('a database that cannot be read anew is read with a later pulse; until then nothing else is believed', async (context) => {
  const { one, other, project } = await openTwo(context);
  await one.keys.create({ projectId: project.id, name: 'made' });
  await other.pulse();
  const { projects } = other.store;
  other.store.projects = async () => {
    throw new Error('the connection is gone');
  };
  other.follower.distrust();
  assert.equal(await other.pulse(), false);
  assert.equal(other.follower.wentBack, true);
  other.store.projects = projects.bind(other.store);
  assert.equal(await other.pulse(), true);
  assert.equal(other.follower.wentBack, false);
});

test('of pulses that come while rows are being read, only the last one is applied', async (context) => {
  const { one, other, project } = await openTwo(context);
  let reads = 0;
  const keysById = other.store.keysById.bind(other.store);
  other.store.keysById = (ids) => {
    reads += 1;
    return keysById(ids);
  };
  await one.keys.create({ projectId: project.id, name: 'made' });
  const pulses = await Promise.all(Array.from({ length: 20 }, () => other.pulse()));
  assert.deepEqual(new Set(pulses), new Set([true]));
  assert.ok(reads <= 2, `${reads} readings`);
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
  await one.pulse();
  assert.deepEqual(one.keys.get(id)?.limits, { requestsPerMinute: 5, requestsPerDay: 9 });
  const rotate = (at: typeof one) => at.keys.rotate(id, { graceMs: 0 });
  assert.deepEqual(await codes([rotate(one), rotate(other)]), ['conflict', 'ok']);
});
