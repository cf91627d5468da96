/** Goal: tasks that join in one turn of the event loop run together, in order, each once. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { TurnQueue } from './turn-queue.ts';

test('tasks of one turn run in the order of joining, with nothing between them', async () => {
  const queue = new TurnQueue();
  const seen: string[] = [];
  for (const name of ['a', 'b', 'c']) {
    const task = () => {
      seen.push(name);
      queueMicrotask(() => seen.push(`after ${name}`));
    };
    queue.join({ run: task });
  }
  assert.deepEqual(seen, [], 'none runs before the turn is over');
  await nextTurn();
  assert.deepEqual(seen, ['a', 'b', 'c', 'after a', 'after b', 'after c']);
  await nextTurn();
  assert.equal(seen.length, 6, 'each runs once');
});

test('a task that joins while others run is run in the next turn', async () => {
  const queue = new TurnQueue();
  const seen: string[] = [];
  queue.join({
    run: () => {
      seen.push('first');
      queue.join({ run: () => void seen.push('second') });
    },
  });
  await nextTurn();
  assert.deepEqual(seen, ['first']);
  await nextTurn();
  assert.deepEqual(seen, ['first', 'second']);
});
