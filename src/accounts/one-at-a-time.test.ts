/** Goal: changes happen in the order asked for, none within another, and a failed one stops nobody. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OneAtATime } from './one-at-a-time.ts';

test('the next change begins when the one before has ended, be it badly', async () => {
  const changes = new OneAtATime();
  const heard: string[] = [];
  const gate = Promise.withResolvers<void>();
  const first = changes.run(async () => {
    heard.push('first begins');
    await gate.promise;
    heard.push('first ends');
    throw new Error('the disk is gone');
  });
  const second = changes.run(async () => {
    heard.push('second');
    return 2;
  });
  gate.resolve();
  await assert.rejects(first, /disk is gone/);
  assert.equal(await second, 2);
  assert.deepEqual(heard, ['first begins', 'first ends', 'second']);
});

test('who loses the right to a change while it waits for its turn is refused, and nothing is changed', async () => {
  const changes = new OneAtATime();
  const heard: string[] = [];
  let isRevoked = false;
  const checkStill = async () => {
    if (isRevoked) throw new Error('revoked meanwhile');
  };
  const revocation = changes.run(async () => {
    await new Promise(setImmediate);
    isRevoked = true;
  }, checkStill);
  const creation = changes.run(async () => void heard.push('a key is made'), checkStill);
  await revocation;
  await assert.rejects(creation, /revoked meanwhile/);
  assert.deepEqual(heard, []);
});
