/** The contract of every storage for creations: of identical requests, one creates. */
import assert from 'node:assert/strict';
import type { Promising } from './storage-under-test.ts';

const DAY_MS = 86_400_000;

export function creationPromises(promise: Promising): void {
  promise(
    'the first request claims the creation, the second finds it running, and later its answer',
    async ({ storage }) => {
      const store = storage.creations;
      const first = claim(1000);
      assert.equal(await store.begin(first, 0), null);
      assert.equal((await store.begin(claim(1001), 0))?.answer, null);
      await store.finish(first, { status: 201, body: Buffer.from('sealed') });
      const found = await store.begin(claim(1002), 0);
      assert.equal(found?.answer?.status, 201);
      assert.equal(Buffer.from(found?.answer?.body ?? []).toString(), 'sealed');
      assert.deepEqual(Buffer.from(found?.bodyDigest ?? []), first.bodyDigest);
    },
  );

  promise('of many concurrent requests one gets the claim', async ({ storage }) => {
    const store = storage.creations;
    const found = await Promise.all(Array.from({ length: 20 }, (_, index) => store.begin(claim(1000 + index), 0)));
    assert.equal(found.filter((each) => each === null).length, 1);
  });

  promise('an abandoned claim is free for the next request', async ({ storage }) => {
    const store = storage.creations;
    await store.begin(claim(1000), 0);
    await store.abandon(claim(1000));
    assert.equal(await store.begin(claim(1001, { body: 9 }), 0), null);
  });

  promise('abandoning a finished creation has no effect', async ({ storage }) => {
    const store = storage.creations;
    await store.begin(claim(1000), 0);
    await store.finish(claim(1000), { status: 200, body: Buffer.from('x') });
    await store.abandon(claim(1000));
    assert.notEqual(await store.begin(claim(1001), 0), null);
  });

  promise(
    'an interrupted creation can be taken over by the same request only, and the first one can no longer finish it',
    async ({ storage }) => {
      const store = storage.creations;
      await store.begin(claim(1000), 0);
      assert.notEqual(await store.begin(claim(5000, { body: 9 }), 4000), null);
      assert.notEqual(await store.begin(claim(5000), 1000), null);
      assert.equal(await store.begin(claim(5000), 4000), null);
      await store.finish(claim(1000), { status: 201, body: Buffer.from('late') });
      assert.equal((await store.begin(claim(5001), 0))?.answer, null);
    },
  );

  promise('an answer expires after a day', async ({ storage }) => {
    const store = storage.creations;
    await store.begin(claim(1000), 0);
    await store.finish(claim(1000), { status: 201, body: Buffer.from('x') });
    assert.notEqual(await store.begin(claim(999 + DAY_MS), 0), null);
    assert.equal(await store.begin(claim(1000 + DAY_MS, { body: 9 }), 0), null);
  });
}

function claim(createdAt: number, changes: { key?: number; body?: number } = {}) {
  return {
    keyDigest: Buffer.alloc(32, changes.key ?? 1),
    bodyDigest: Buffer.alloc(32, changes.body ?? 2),
    createdAt,
    expiresAt: createdAt + DAY_MS,
  };
}
