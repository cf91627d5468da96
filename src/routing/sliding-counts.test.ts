/** Goal: a sum covers the last while and nothing older. Method: a clock of plain numbers, compared with a list of all events. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SlidingCounts } from './sliding-counts.ts';

const SHAPE = { slotMs: 1_000, slots: 10, kinds: 2 };

test('what is older than the window no longer counts, and each kind is counted by itself', () => {
  const counts = new SlidingCounts(SHAPE);
  for (let at = 0; at < 5; at += 1) counts.add(at * 1_000, 0);
  counts.add(4_500, 1);
  assert.deepEqual([counts.sum(4_900, 0), counts.sum(4_900, 1)], [5, 1]);
  assert.deepEqual([counts.sum(9_999, 0), counts.sum(9_999, 1)], [5, 1]);
  assert.deepEqual([counts.sum(10_000, 0), counts.sum(12_000, 0)], [4, 2]);
  assert.deepEqual([counts.sum(1e9, 0), counts.sum(1e9, 1)], [0, 0]);
});

test('the sums are those of the events themselves, whatever the gaps between them', () => {
  const counts = new SlidingCounts(SHAPE);
  const events: number[] = [];
  let seed = 7;
  const random = () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed / 2_147_483_648;
  };
  let now = 0;
  for (let step = 0; step < 2_000; step += 1) {
    now += random() < 0.02 ? random() * 30_000 : random() * 400;
    counts.add(now, 0);
    events.push(now);
    const from = (Math.floor(now / SHAPE.slotMs) - SHAPE.slots + 1) * SHAPE.slotMs;
    assert.equal(counts.sum(now, 0), events.filter((at) => at >= from).length, `at ${now}`);
  }
});

test('nothing is left of what was cleared', () => {
  const counts = new SlidingCounts(SHAPE);
  counts.add(100, 0);
  counts.clear();
  assert.equal(counts.sum(100, 0), 0);
  counts.add(200, 0);
  assert.equal(counts.sum(11_000, 0), 0);
});
