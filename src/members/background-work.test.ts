/** Goal: work behind an answer is waited for, but never for ever. Method: work that ends, and work that does not, on a clock by hand. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../core/clock.ts';
import { BackgroundWork } from './background-work.ts';

test('what runs is waited for, and what fails is told', async () => {
  const told: string[] = [];
  const background = new BackgroundWork((message) => told.push(message));
  const done: string[] = [];
  background.run('one', async () => void done.push('one'));
  background.run('two', () => Promise.reject(new Error('no')));
  await background.settled({ clock: new ManualClock(), patienceMs: 1000 });
  assert.deepEqual([done, told], [['one'], ['two']]);
});

test('work that does not end keeps nobody longer than the patience', async () => {
  const clock = new ManualClock();
  const background = new BackgroundWork(() => undefined);
  background.run('never', () => new Promise(() => undefined));
  const settled = background.settled({ clock, patienceMs: 1000 });
  clock.advance(1000);
  await settled;
});
