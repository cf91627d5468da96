/**
 * Goal: what another node changes while everything is read anew applies at once. Method: a database with 100,000 keys, changes in between,
 * and the keys counted that are read until each of them applies; a second of reading has many more.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { openManyRows } from '../../../test/support/many-rows.ts';
import { systemClock } from '../../core/clock.ts';
import { accountId, type KeyId, keyId, projectId } from '../../core/ids.ts';
import { FeedFollower, type FollowEvent } from './feed-follower.ts';

const KEYS = 100_000;
const REVOCATIONS = 200;
const BETWEEN = KEYS / REVOCATIONS;
/** Of them, 99 in 100 apply before so many keys are read; 500 are read by a statement. */
const PAGES_MAX = 2;
const PAGE_KEYS = 500;

for (const isOther of [false, true])
  test(`while 100,000 keys are read anew, revocations apply at once${isOther ? ', in another state too' : ''}`, async (context) => {
    const { mirror, cut, revoke, pulse, readAll, store } = await open(context, KEYS, 1_000);
    const revokedAt = new Map<KeyId, number>();
    const waited: number[] = [];
    let read = 0;
    const settle = () => {
      for (const [id, at] of revokedAt) {
        if (mirror.get(id)?.revokedAt === null) continue;
        waited.push(read - at);
        revokedAt.delete(id);
      }
    };
    const allKeys = store.keys.bind(store);
    store.keys = async function* () {
      for await (const key of allKeys()) {
        yield key;
        read += 1;
        settle();
        if (read % BETWEEN !== 1) continue;
        // Some that were read already, and some that will be.
        const id = keyId(1 + ((read * 7_919) % KEYS));
        revoke(id);
        revokedAt.set(id, read);
        void pulse();
        // Requests are served between two pages; a pulse is a round trip.
        await nextTurn();
      }
    };
    assert.equal(await readAll(isOther), true);
    settle();
    assert.equal(waited.length, REVOCATIONS);
    waited.sort((one, other) => one - other);
    const late = waited[Math.ceil(0.99 * REVOCATIONS) - 1] as number;
    assert.ok(late <= PAGES_MAX * PAGE_KEYS, `${late} keys were read before`);
    assert.equal(new Set(cut).size, REVOCATIONS, 'running calls are cut');
    const revoked = [...mirror.list()].filter((key) => key.revokedAt !== null);
    assert.equal(revoked.length, REVOCATIONS, 'no other key is refused');
  });

test('what is made, archived and deleted meanwhile is as in the database when everything is read', async (context) => {
  const rows = 1_700;
  const { database, mirror, change, pulse, readAll, store, follower, events } = await open(context, rows);
  const [made, gone] = [rows + 1, rows - 1];
  const allProjects = store.projects.bind(store);
  let isChanged = false;
  store.projects = async () => {
    const projects = await allProjects();
    if (isChanged) return projects;
    isChanged = true;
    change('accounts', `INSERT INTO accounts (id, name, created_at) VALUES (${made}, 'made', 0)`, made);
    change(
      'projects',
      `INSERT INTO projects (id, account_id, name, created_at) VALUES (${made}, ${made}, 'made', 0)`,
      made,
    );
    change('projects', 'UPDATE projects SET archived_at = 7 WHERE id = 3', 3);
    change('keys', keyMade(made), made);
    change('keys', `DELETE FROM keys WHERE id = ${gone}`, gone);
    assert.equal(await followed(pulse), false, 'not everything is read yet');
    return projects;
  };
  const followed = async (pulsed: () => Promise<boolean>) => {
    let answer = false;
    void pulsed().then((isFollowed) => {
      answer = isFollowed;
    });
    for (let turn = 0; turn < 20; turn += 1) await nextTurn();
    assert.equal(mirror.scopes.isArchived(projectId(3)), true);
    assert.notEqual(mirror.get(keyId(gone))?.revokedAt, null);
    return answer;
  };
  assert.equal(await readAll(true), true);
  assert.equal(mirror.scopes.isArchived(projectId(3)), true);
  assert.equal(mirror.scopes.findAccount(accountId(made))?.name, 'made');
  assert.equal(mirror.scopes.findProject(projectId(made))?.accountId, made);
  assert.equal(mirror.get(keyId(made))?.revokedAt, null);
  assert.notEqual(mirror.get(keyId(gone))?.revokedAt, null);
  const { seq } = database.prepare('SELECT seq FROM feed').get() as { seq: number };
  assert.equal(follower.seq, seq);
  assert.deepEqual(
    events.map(({ type }) => type),
    ['database_went_back', 'database_followed_again'],
  );
});

test('a key in a project that memory does not have yet is read with everything, and not before', async (context) => {
  const rows = 600;
  const { mirror, change, pulse, readAll, store, feed } = await open(context, rows);
  const made = rows + 1;
  // Missed: neither account nor project is known.
  change('accounts', `INSERT INTO accounts (id, name, created_at) VALUES (${made}, 'missed', 0)`, null);
  change(
    'projects',
    `INSERT INTO projects (id, account_id, name, created_at) VALUES (${made}, ${made}, 'missed', 0)`,
    null,
  );
  const accounts = store.accounts.bind(store);
  store.accounts = async () => {
    const all = await accounts();
    change('keys', keyMade(made), made);
    void pulse();
    for (let turn = 0; turn < 20; turn += 1) await nextTurn();
    return all;
  };
  feed.subscribe('key', ({ projectId: project }) =>
    assert.notEqual(mirror.scopes.findProject(project), undefined, 'a key comes after its project'),
  );
  assert.equal(await readAll(false), true);
  assert.equal(mirror.get(keyId(made))?.projectId, made);
});

/** Like the first key, in the project of the same id. */
function keyMade(id: number): string {
  return `INSERT INTO keys (id, project_id, name, label, kind, digest, pepper_id, limits, permissions, created_at)
    SELECT ${id}, ${id}, name, label, kind, randomblob(32), pepper_id, '{}', '{}', 0 FROM keys WHERE id = 1`;
}

async function open(context: TestContext, keys: number, accounts = keys) {
  const opened = await openManyRows(context, keys, accounts);
  const { database, feed, follower: topic } = opened;
  const events: FollowEvent[] = [];
  const cut: KeyId[] = [];
  feed.subscribe('cut', (id) => cut.push(id));
  let seq = 1;
  database.exec(`UPDATE feed SET seq = ${seq}`);
  const follower = new FeedFollower({
    feed,
    topics: [topic],
    seq,
    isTrouble: () => true,
    clock: systemClock,
    onEvent: (event) => events.push(event),
  });
  /** As another node would; with null, what it leaves of the change is lost. */
  const change = (table: string, statement: string | null, id: number | null, topicOf = table.slice(0, -1)) => {
    seq += 1;
    if (statement !== null) database.exec(statement);
    if (id !== null && statement !== null) database.exec(`UPDATE ${table} SET seq = ${seq} WHERE id = ${id}`);
    database.exec(`UPDATE feed SET seq = ${seq}`);
    if (id !== null)
      database.exec(`INSERT INTO changes (seq, at, topic, id) VALUES (${seq}, 1, '${topicOf}', '${id}')`);
  };
  const revoke = (id: KeyId) => {
    change('keys', `UPDATE keys SET revoked_at = 7 WHERE id = ${id}`, id);
    change('keys', null, id, 'cut');
  };
  const pulse = async () => {
    const changes = await feed.since(follower.seq, 1_000);
    return follower.follow({ changes, lastSeq: await feed.last() });
  };
  /** Reads everything anew, because changes are missing or because the database has another state. */
  const readAll = async (isOther: boolean) => {
    if (isOther) follower.distrust();
    else change('keys', null, null);
    await pulse();
    return pulse();
  };
  return { ...opened, follower, events, cut, change, revoke, pulse, readAll };
}
