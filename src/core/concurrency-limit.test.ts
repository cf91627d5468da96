/** Goal: heavy work never exceeds its concurrency limit, and work for which the queue is full is refused. Method: work ended by hand. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConcurrencyLimit } from './concurrency-limit.ts';

test('two run, one waits, the next is refused; when one ends, the one that waits starts', async () => {
  const few = new ConcurrencyLimit({ runningMax: 2, waitingMax: 1 }, () => new Error('full'));
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const start = (name: string) =>
    few.run(async () => {
      started.push(name);
      await new Promise<void>((resolve) => ends.set(name, resolve));
      return name;
    });
  const [a, b, c] = [start('a'), start('b'), start('c')];
  await assert.rejects(start('d'), /full/);
  assert.deepEqual(started, ['a', 'b']);
  ends.get('a')?.();
  assert.equal(await a, 'a');
  await Promise.resolve();
  assert.deepEqual(started, ['a', 'b', 'c']);
  ends.get('b')?.();
  ends.get('c')?.();
  assert.deepEqual(await Promise.all([b, c]), ['b', 'c']);
});

test('work that fails releases its slot', async () => {
  const few = new ConcurrencyLimit({ runningMax: 1, waitingMax: 0 }, () => new Error('full'));
  await assert.rejects(
    few.run(async () => {
      throw new Error('broken');
    }),
    /broken/,
  );
  assert.equal(await few.run(async () => 1), 1);
});
