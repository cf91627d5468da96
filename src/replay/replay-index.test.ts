/** Goal: the number of known ended calls is bounded, and forgetting many of them blocks nobody. Method: entries counted. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newCallId } from '../core/ids.ts';
import { ReplayIndex } from './replay-index.ts';

test('expired entries are replaced without being counted, others are counted as dropped', () => {
  const index = indexOf(2);
  remember(index, 'a', 10);
  remember(index, 'b', 20);
  remember(index, 'c', 30, 10);
  assert.deepEqual([index.size, index.dropped], [2, 0]);
  remember(index, 'd', 40, 10);
  assert.deepEqual([index.size, index.dropped], [2, 1]);
  assert.equal(index.find(1, 'b', 0, 0), null);
  assert.equal(index.find(1, 'c', 0, 0)?.name, 'c');
});

test('a key that ends again has one entry, the newest', () => {
  const index = indexOf(2);
  remember(index, 'a', 10);
  remember(index, 'b', 20);
  remember(index, 'a', 30);
  remember(index, 'c', 40);
  assert.equal(index.find(1, 'b', 0, 0), null);
  assert.equal(index.find(1, 'a', 0, 0)?.name, 'a');
});

test('expired entries, and no others, are forgotten a part at a time', () => {
  const index = indexOf(100);
  for (let each = 0; each < 25; each += 1) remember(index, `${each}`, each < 20 ? 10 : 11);
  const rests: boolean[] = [];
  do rests.push(index.deleteExpired(10, 8));
  while (rests.at(-1));
  assert.deepEqual(rests, [true, true, false]);
  assert.equal(index.size, 5);
});

test('an account with more ended calls than fit loses its own entries, and no other’s', () => {
  const index = indexOf(200);
  for (let each = 0; each < 50; each += 1) remember(index, `theirs ${each}`, 10, 0, 2);
  for (let each = 0; each < 10_000; each += 1) remember(index, `${each}`, 20, 0, 1);
  for (let each = 0; each < 50; each += 1) assert.notEqual(index.find(2, `theirs ${each}`, 0, 0), null);
  assert.deepEqual([index.size, index.dropped], [200, 10_050 - 200]);
  assert.notEqual(index.find(1, '9999', 0, 0), null);
});

test('new accounts displace entries of the largest accounts, until all have the same number', () => {
  const index = indexOf(300);
  for (let each = 0; each < 300; each += 1) remember(index, `${each}`, 20, 0, 1);
  for (const owner of [2, 3])
    for (let each = 0; each < 500; each += 1) remember(index, `${owner} ${each}`, 30, 0, owner);
  const left = [1, 2, 3].map((owner) => {
    const name = (each: number) => (owner === 1 ? `${each}` : `${owner} ${each}`);
    return Array.from({ length: 500 }, (_, each) => index.find(owner, name(each), 0, 0)).filter(
      (found) => found !== null,
    ).length;
  });
  assert.equal(index.size, 300);
  for (const count of left) assert.ok(count >= 99 && count <= 101, String(left));
});

function indexOf(entriesMax: number): ReplayIndex {
  return new ReplayIndex({ entriesMax, runningMsMax: 1 });
}

function remember(index: ReplayIndex, name: string, expiresAt: number, nowMs = 0, owner = 1): void {
  index.remember(owner, { type: 'ended', name, bodyDigest: 'body', callId: newCallId(0), expiresAt }, nowMs);
}
