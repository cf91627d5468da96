/**
 * Goal: reading everything anew holds up no call, and undoes nothing that changes meanwhile. Method: a database with many rows, the rows
 * that are applied in each turn of the event loop counted, and changes made between two turns.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { openManyRows } from '../../../test/support/many-rows.ts';
import { accountId, type KeyId, keyId, projectId } from '../../core/ids.ts';
import { SLICE_ROWS } from './in-slices.ts';
import { RowTopicFollower } from './row-topic.ts';

const ROWS = 3 * SLICE_ROWS + 7;
const SEQ = 10;

for (const isOther of [false, true])
  test(`reading everything anew applies few rows in a turn${isOther ? ', in another state too' : ''}`, async (context) => {
    const { follower, feed, mirror } = await open(context);
    if (isOther) follower.forgetNumbers();
    const counted = countTurns();
    for (const topic of ['account', 'project', isOther ? 'cut' : 'key'] as const) feed.subscribe(topic, counted.row);
    await follower.reload(SEQ, () => false, isOther);
    counted.stop();
    assert.ok(counted.most() <= SLICE_ROWS, `${counted.most()} rows in a turn`);
    assert.ok(counted.total() >= 2 * ROWS, `${counted.total()} rows`);
    // The rows of keys were deleted.
    const left = [...mirror.list()].filter(({ revokedAt }) => revokedAt === null);
    assert.deepEqual(left, []);
    assert.equal(mirror.size, isOther ? 0 : ROWS);
  });

test('what changes between the turns of reading everything anew is not undone', async (context) => {
  const { follower, feed, mirror, store } = await open(context, false);
  const [account, project, key] = [accountId(ROWS), projectId(ROWS), keyId(ROWS)];
  const counted = countTurns();
  let isChanged = false;
  feed.subscribe('account', () => {
    counted.row();
    if (isChanged) return;
    isChanged = true;
    // After this turn, as another request would.
    setImmediate(() => {
      const seq = SEQ + 1;
      feed.deliver('account', { ...mirror.scopes.account(account), closedAt: 7, seq });
      feed.deliver('project', { ...mirror.scopes.project(project), archivedAt: 7, seq });
      feed.deliver('key', { ...keyOf(key), revokedAt: 7, seq });
    });
  });
  const keyOf = (id: KeyId) => {
    const found = mirror.get(id);
    assert.ok(found !== undefined);
    return {
      ...found,
      digest: found.digest,
      updatedAt: null,
      restrictions: undefined,
      cacheSeconds: undefined,
      origins: undefined,
    };
  };
  follower.forgetNumbers();
  await follower.reload(SEQ, () => false, true);
  counted.stop();
  assert.equal((await store.account(account))?.closedAt, null, 'the row that was read is older');
  assert.equal(mirror.scopes.account(account).closedAt, 7);
  assert.equal(mirror.scopes.project(project).archivedAt, 7);
  assert.equal(mirror.get(key)?.revokedAt, 7);
  assert.equal(mirror.get(keyId(1))?.revokedAt, null);
});

test('rows of small tables are applied in turns, and one that changes between them stays', async () => {
  const rows = Array.from({ length: ROWS }, (_, id) => ({ id, seq: 1 }));
  const counted = countTurns();
  const own = new Set<string>();
  const delivered = new Set<string>();
  const topic = new RowTopicFollower({
    topic: 'row',
    idOf: ({ id }) => String(id),
    find: async () => null,
    list: async () => rows,
    forgetNumbers: () => undefined,
    known: () => Array.from({ length: ROWS }, (_, id) => `gone ${id}`),
    deliver(id) {
      counted.row();
      delivered.add(id);
      own.add(String(ROWS - 1));
      own.add(`gone ${ROWS - 1}`);
    },
  });
  await topic.reload(SEQ, (_topic, id) => own.has(id));
  counted.stop();
  assert.ok(counted.most() <= SLICE_ROWS, `${counted.most()} rows in a turn`);
  assert.equal(delivered.size, 2 * ROWS - 2);
});

/** With `isDeleted`, the keys are not in the database any more. */
async function open(context: TestContext, isDeleted = true) {
  const { database, ...opened } = await openManyRows(context, ROWS);
  if (isDeleted) database.exec('DELETE FROM keys');
  return opened;
}

/** Counts rows by the turn of the event loop in which they are applied. */
function countTurns() {
  let [total, rows, most] = [0, 0, 0];
  let next = setImmediate(function turn() {
    rows = 0;
    next = setImmediate(turn);
  });
  return {
    row() {
      total += 1;
      rows += 1;
      most = Math.max(most, rows);
    },
    most: () => most,
    total: () => total,
    stop: () => clearImmediate(next),
  };
}
