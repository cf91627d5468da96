/** Goal: those who asked together have a turn each, in order. Method: the event loop's own count of its turns. */
import assert from 'node:assert/strict';
import { performance } from 'node:perf_hooks';
import { test } from 'node:test';
import { Turns } from './turns.ts';

const turn = () => performance.nodeTiming.uvMetricsInfo.loopCount;

test('whoever asks has a turn of the event loop, after those who asked before', async () => {
  const turns = new Turns();
  const seen: { readonly who: string; readonly turn: number }[] = [];
  const first = turn();
  await Promise.all(
    ['one', 'two', 'three'].map(async (who) => {
      await turns.next();
      seen.push({ who, turn: turn() });
    }),
  );
  assert.deepEqual(
    seen.map(({ who }) => who),
    ['one', 'two', 'three'],
  );
  assert.equal(new Set(seen.map((each) => each.turn)).size, 3, JSON.stringify(seen));
  assert.ok(seen.every((each) => each.turn >= first));
});

test('who comes later, when nobody waits any more, is served as well', async () => {
  const turns = new Turns();
  await turns.next();
  await turns.next();
  await Promise.all([turns.next(), turns.next()]);
});
