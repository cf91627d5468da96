/** Goal: work behind an answer is waited for, but never for ever. Method: work that ends, and work that does not, on a clock by hand. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../core/clock.ts';
import { Afterwards } from './afterwards.ts';

test('what runs is waited for, and what fails is told', async () => {
  const told: string[] = [];
  const afterwards = new Afterwards((message) => told.push(message));
  const done: string[] = [];
  afterwards.run('one', async () => void done.push('one'));
  afterwards.run('two', () => Promise.reject(new Error('no')));
  await afterwards.settled({ clock: new ManualClock(), patienceMs: 1000 });
  assert.deepEqual([done, told], [['one'], ['two']]);
});

test('work that does not end keeps nobody longer than the patience', async () => {
  const clock = new ManualClock();
  const afterwards = new Afterwards(() => undefined);
  afterwards.run('never', () => new Promise(() => undefined));
  const settled = afterwards.settled({ clock, patienceMs: 1000 });
  clock.advance(1000);
  await settled;
});
