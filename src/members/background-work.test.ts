/**
 * Goal: background work is awaited at shutdown, but not for ever. Method: work that ends, and work that does not, on a clock moved by hand.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../core/clock.ts';
import { BackgroundWork } from './background-work.ts';

test('running work is awaited, and failures are reported', async () => {
  const reported: string[] = [];
  const background = new BackgroundWork((message) => reported.push(message));
  const done: string[] = [];
  background.run('one', async () => void done.push('one'));
  background.run('two', () => Promise.reject(new Error('no')));
  await background.settled({ clock: new ManualClock(), patienceMs: 1000 });
  assert.deepEqual([done, reported], [['one'], ['two']]);
});

test('work that does not end delays shutdown no longer than the patience', async () => {
  const clock = new ManualClock();
  const background = new BackgroundWork(() => undefined);
  background.run('never', () => new Promise(() => undefined));
  const settled = background.settled({ clock, patienceMs: 1000 });
  clock.advance(1000);
  await settled;
});
