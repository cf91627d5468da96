/** Goal: no owner takes all slots from the others. Method: owners that take as many as they get. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FairRoom } from './fair-room.ts';

function takeAll(room: FairRoom, owner: string): (() => void)[] {
  const leaves: (() => void)[] = [];
  for (let leave = room.take(owner); leave !== null; leave = room.take(owner)) leaves.push(leave);
  return leaves;
}

test('an owner takes at most half of what the others leave free', () => {
  const room = new FairRoom(64);
  assert.equal(takeAll(room, 'a').length, 32);
  assert.equal(takeAll(room, 'b').length, 16);
  assert.equal(takeAll(room, 'c').length, 8);
  assert.equal(takeAll(room, 'a').length, 0);
});

test('each new owner gets a slot until none is left', () => {
  const room = new FairRoom(8);
  takeAll(room, 'a');
  assert.notEqual(room.take('b'), null);
  assert.notEqual(room.take('c'), null);
  for (const owner of 'defgh') room.take(owner);
  assert.equal(room.taken, 8);
  assert.equal(room.take('z'), null);
});

test('a released slot is free again, and releasing it twice changes nothing', () => {
  const room = new FairRoom(4);
  const [first] = takeAll(room, 'a');
  first?.();
  first?.();
  assert.equal(room.taken, 1);
  assert.notEqual(room.take('a'), null);
});

test('an owner gets no more than the maximum per owner', () => {
  assert.equal(takeAll(new FairRoom(100, 3), 'a').length, 3);
});
