/** Goal: what is known of ended calls is bounded, and forgetting many of them stops nobody. Method: entries counted. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newCallId } from '../core/ids.ts';
import { ReplayIndex } from './replay-index.ts';

test('expired entries make room uncounted, others are counted as dropped', () => {
  const index = indexOf(2);
  remember(index, 'a', 10);
  remember(index, 'b', 20);
  remember(index, 'c', 30, 10);
  assert.deepEqual([index.size, index.dropped], [2, 0]);
  remember(index, 'd', 40, 10);
  assert.deepEqual([index.size, index.dropped], [2, 1]);
  assert.equal(index.find('b', 0, 0), null);
  assert.equal(index.find('c', 0, 0)?.name, 'c');
});

test('a key that ends again is one entry, and the youngest', () => {
  const index = indexOf(2);
  remember(index, 'a', 10);
  remember(index, 'b', 20);
  remember(index, 'a', 30);
  remember(index, 'c', 40);
  assert.equal(index.find('b', 0, 0), null);
  assert.equal(index.find('a', 0, 0)?.name, 'a');
});

test('what has expired is forgotten a part at a time, and no more than that', () => {
  const index = indexOf(100);
  for (let each = 0; each < 25; each += 1) remember(index, `${each}`, each < 20 ? 10 : 11);
  const rests: boolean[] = [];
  do rests.push(index.deleteExpired(10, 8));
  while (rests.at(-1));
  assert.deepEqual(rests, [true, true, false]);
  assert.equal(index.size, 5);
});

function indexOf(entriesMax: number): ReplayIndex {
  return new ReplayIndex({ entriesMax, runningMsMax: 1 });
}

function remember(index: ReplayIndex, name: string, expiresAt: number, nowMs = 0): void {
  index.remember({ type: 'ended', name, bodyDigest: 'body', callId: newCallId(0), expiresAt }, nowMs);
}
