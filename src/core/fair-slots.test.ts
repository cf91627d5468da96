/** Goal: no owner takes all slots from the others. Method: owners that take as many as they get. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FairSlots } from './fair-slots.ts';

function takeAll(slots: FairSlots, owner: string): (() => void)[] {
  const leaves: (() => void)[] = [];
  for (let leave = slots.take(owner); leave !== null; leave = slots.take(owner)) leaves.push(leave);
  return leaves;
}

test('an owner takes at most half of what the others leave free', () => {
  const slots = new FairSlots(64);
  assert.equal(takeAll(slots, 'a').length, 32);
  assert.equal(takeAll(slots, 'b').length, 16);
  assert.equal(takeAll(slots, 'c').length, 8);
  assert.equal(takeAll(slots, 'a').length, 0);
});

test('each new owner gets a slot until none is left', () => {
  const slots = new FairSlots(8);
  takeAll(slots, 'a');
  assert.notEqual(slots.take('b'), null);
  assert.notEqual(slots.take('c'), null);
  for (const owner of 'defgh') slots.take(owner);
  assert.equal(slots.taken, 8);
  assert.equal(slots.take('z'), null);
});

test('a released slot is free again, and releasing it twice changes nothing', () => {
  const slots = new FairSlots(4);
  const [first] = takeAll(slots, 'a');
  first?.();
  first?.();
  assert.equal(slots.taken, 1);
  assert.notEqual(slots.take('a'), null);
});

test('an owner gets no more than the maximum per owner', () => {
  assert.equal(takeAll(new FairSlots(100, 3), 'a').length, 3);
});
