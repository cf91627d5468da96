/** Goal: pieces of work never overlap, and a failure does not stop those after it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Serial } from './serial.ts';

test('work begins when the work before it has ended, in the order of the requests', async () => {
  const serial = new Serial();
  const first = Promise.withResolvers<string>();
  const seen: string[] = [];
  const results = [
    serial.run(() => {
      seen.push('first begins');
      return first.promise;
    }),
    serial.run(async () => {
      seen.push('second begins');
      return 'second';
    }),
  ];
  await Promise.resolve();
  await Promise.resolve();
  assert.deepEqual(seen, ['first begins']);
  first.resolve('first');
  assert.deepEqual(await Promise.all(results), ['first', 'second']);
  assert.deepEqual(seen, ['first begins', 'second begins']);
});

test('an error reaches the caller that requested the work, and nobody after it', async () => {
  const serial = new Serial();
  const failed = serial.run(() => Promise.reject(new Error('no')));
  const next = serial.run(async () => 'next');
  await assert.rejects(failed, /^Error: no$/);
  assert.equal(await next, 'next');
});
