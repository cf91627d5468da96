/** Goal: callers that ask together get a turn each, in order. Method: the event loop's count of its turns. */
import assert from 'node:assert/strict';
import { performance } from 'node:perf_hooks';
import { test } from 'node:test';
import { Turns } from './turns.ts';

const turn = () => performance.nodeTiming.uvMetricsInfo.loopCount;

test('each caller gets its own turn of the event loop, after those that asked before', async () => {
  const turns = new Turns();
  const seen: { readonly name: string; readonly turn: number }[] = [];
  const first = turn();
  await Promise.all(
    ['one', 'two', 'three'].map(async (name) => {
      await turns.next();
      seen.push({ name, turn: turn() });
    }),
  );
  assert.deepEqual(
    seen.map(({ name }) => name),
    ['one', 'two', 'three'],
  );
  assert.equal(new Set(seen.map((each) => each.turn)).size, 3, JSON.stringify(seen));
  assert.ok(seen.every((each) => each.turn >= first));
});

test('a caller that asks later, when nobody waits, gets a turn too', async () => {
  const turns = new Turns();
  await turns.next();
  await turns.next();
  await Promise.all([turns.next(), turns.next()]);
});
