/** Goal: one of those who send the same creation makes it. Method: the store on SQLite. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { openKyselyUnderTest } from '../sqlite/engine/kysely-under-test.ts';
import { SqlCreationStore } from './creations.ts';

const DAY_MS = 86_400_000;

function claim(createdAt: number, changes: { key?: number; body?: number } = {}) {
  return {
    keyDigest: Buffer.alloc(32, changes.key ?? 1),
    bodyDigest: Buffer.alloc(32, changes.body ?? 2),
    createdAt,
    expiresAt: createdAt + DAY_MS,
  };
}

async function open(context: TestContext) {
  const { kysely, dispose } = await openKyselyUnderTest();
  context.after(dispose);
  return new SqlCreationStore(kysely);
}

test('the first has it, the second finds it running, and then its answer', async (context) => {
  const store = await open(context);
  const first = claim(1000);
  assert.equal(await store.begin(first, 0), null);
  assert.equal((await store.begin(claim(1001), 0))?.answer, null);
  await store.finish(first, { status: 201, body: Buffer.from('sealed') });
  const found = await store.begin(claim(1002), 0);
  assert.equal(found?.answer?.status, 201);
  assert.equal(Buffer.from(found?.answer?.body ?? []).toString(), 'sealed');
  assert.deepEqual(Buffer.from(found?.bodyDigest ?? []), first.bodyDigest);
});

test('of many at once one has it', async (context) => {
  const store = await open(context);
  const found = await Promise.all(Array.from({ length: 20 }, (_, index) => store.begin(claim(1000 + index), 0)));
  assert.equal(found.filter((each) => each === null).length, 1);
});

test('a claim taken back is free for whoever comes next', async (context) => {
  const store = await open(context);
  await store.begin(claim(1000), 0);
  await store.abandon(claim(1000));
  assert.equal(await store.begin(claim(1001, { body: 9 }), 0), null);
});

test('an answer is not taken back', async (context) => {
  const store = await open(context);
  await store.begin(claim(1000), 0);
  await store.finish(claim(1000), { status: 200, body: Buffer.from('x') });
  await store.abandon(claim(1000));
  assert.notEqual(await store.begin(claim(1001), 0), null);
});

test('what lost its process is taken over by the same request alone, and the first one keeps nothing any more', async (context) => {
  const store = await open(context);
  await store.begin(claim(1000), 0);
  assert.notEqual(await store.begin(claim(5000, { body: 9 }), 4000), null);
  assert.notEqual(await store.begin(claim(5000), 1000), null);
  assert.equal(await store.begin(claim(5000), 4000), null);
  await store.finish(claim(1000), { status: 201, body: Buffer.from('late') });
  assert.equal((await store.begin(claim(5001), 0))?.answer, null);
});

test('a day later nothing is left of it', async (context) => {
  const store = await open(context);
  await store.begin(claim(1000), 0);
  await store.finish(claim(1000), { status: 201, body: Buffer.from('x') });
  assert.notEqual(await store.begin(claim(999 + DAY_MS), 0), null);
  assert.equal(await store.begin(claim(1000 + DAY_MS, { body: 9 }), 0), null);
});
