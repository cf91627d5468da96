/** Goal: items added in consecutive turns are written together, in order, one write at a time; drain waits until they are written. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Batch } from './batch.ts';

test('items added in one turn are written together, in order', async () => {
  const written: number[][] = [];
  const batch = new Batch<number>((items) => void written.push([...items]));
  await Promise.all([batch.add(1), batch.add(2), batch.add(3)]);
  await batch.add(4);
  assert.deepEqual(written, [[1, 2, 3], [4]]);
});

test('a batch of several items waits as long as each turn adds more', async () => {
  const written: number[][] = [];
  const batch = new Batch<number>((items) => void written.push([...items]));
  void batch.add(1);
  void batch.add(2);
  await nextTurn();
  void batch.add(3);
  await fewTurns();
  assert.deepEqual(written, [[1, 2, 3]], 'it was written after the first turn that added nothing');
});

test('a single item does not wait for others', async () => {
  const written: number[][] = [];
  const batch = new Batch<number>((items) => void written.push([...items]));
  void batch.add(1);
  await nextTurn();
  assert.deepEqual(written, [[1]]);
});

test('a batch that grows in every turn is still written', async () => {
  const written: number[][] = [];
  const batch = new Batch<number>((items) => void written.push([...items]));
  const items = Array.from({ length: 100 }, (_, index) => index);
  for (let at = 0; at < items.length; at += 2) {
    void batch.add(at);
    void batch.add(at + 1);
    await nextTurn();
  }
  await batch.drain();
  assert.deepEqual(written.flat(), items);
  assert.ok(written.length >= 5 && written.every((batched) => batched.length <= 18), `${written.length} batches`);
});

test('an item added during a write waits for the next write', async () => {
  const slow = new SlowWrite();
  const batch = new Batch<number>(slow.write);
  const first = batch.add(1);
  await fewTurns();
  const second = batch.add(2);
  await nextTurn();
  batch.add(3);
  await fewTurns();
  assert.deepEqual(slow.started, [[1]], 'the second write has not begun');
  slow.finish();
  await first;
  await fewTurns();
  assert.deepEqual(slow.started, [[1], [2, 3]]);
  slow.finish();
  await second;
});

test('drain waits for an asynchronous write that has already begun', async () => {
  const slow = new SlowWrite();
  const batch = new Batch<number>(slow.write);
  const added = batch.add(1);
  await fewTurns();
  let drained = false;
  const draining = batch.drain().then(() => {
    drained = true;
  });
  await nextTurn();
  assert.equal(drained, false);
  slow.finish();
  await draining;
  assert.equal(drained, true);
  await added;
});

test('drain of an empty batch resolves immediately', async () => {
  await new Batch<number>(() => assert.fail('nothing to write')).drain();
});

for (const [manner, fail] of [
  [
    'throws',
    () => {
      throw new Error('disk');
    },
  ],
  ['rejects', () => Promise.reject(new Error('disk'))],
] as const) {
  test(`a write that ${manner} rejects its own batch, and the next batch is written`, async () => {
    let refusing = true;
    const written: number[] = [];
    const batch = new Batch<number>((items) => (refusing ? fail() : void written.push(...items)));
    const both = await Promise.allSettled([batch.add(1), batch.add(2)]);
    assert.deepEqual(
      both.map((one) => one.status),
      ['rejected', 'rejected'],
    );
    refusing = false;
    await batch.add(3);
    assert.deepEqual(written, [3]);
  });
}

/** A write that ends when the test says so. */
class SlowWrite {
  readonly started: number[][] = [];
  #finish: (() => void) | null = null;

  readonly write = (items: readonly number[]): Promise<void> => {
    this.started.push([...items]);
    return new Promise((resolve) => {
      this.#finish = resolve;
    });
  };

  finish(): void {
    assert.ok(this.#finish, 'a write is running');
    this.#finish();
  }
}

/** More turns than a batch waits when nothing is added. */
async function fewTurns(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await nextTurn();
}
