/** Goal: what kept answers take is known without looking at them. Method: bytes put in and expired by hand. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AnswerRoom } from './answer-room.ts';

const MINUTE_MS = 60_000;

test('there is room up to the last byte, and it is told once that there is none', () => {
  let told = 0;
  const room = new AnswerRoom(
    100,
    () => true,
    () => {
      told += 1;
    },
  );
  room.take(1, 60, MINUTE_MS);
  assert.deepEqual([room.hasRoomFor(1, 40), room.hasRoomFor(1, 41), room.hasRoomFor(1, 41)], [true, false, false]);
  assert.equal(told, 1);
  room.freeExpired(0);
  assert.equal(room.hasRoomFor(1, 41), false);
  assert.equal(told, 2);
});

test('what has expired is freed in the minute after, and nothing else', () => {
  const room = new AnswerRoom(
    100,
    () => true,
    () => undefined,
  );
  room.take(1, 1, 1);
  room.take(1, 2, MINUTE_MS);
  room.take(1, 4, MINUTE_MS + 1);
  room.take(1, 8, 5 * MINUTE_MS);
  const left = [MINUTE_MS - 1, MINUTE_MS, 2 * MINUTE_MS, 3 * MINUTE_MS, 5 * MINUTE_MS].map((nowMs) => {
    room.freeExpired(nowMs);
    return room.bytes;
  });
  assert.deepEqual(left, [15, 12, 8, 8, 0]);
});

test('an account takes half of what the others leave, and its answers that expire make room again', () => {
  let told = 0;
  const room = new AnswerRoom(
    100,
    () => false,
    () => {
      told += 1;
    },
  );
  assert.deepEqual([room.hasRoomFor(1, 50), room.hasRoomFor(1, 51)], [true, false]);
  room.take(1, 50, MINUTE_MS);
  assert.deepEqual([room.hasRoomFor(1, 1), room.hasRoomFor(2, 25), room.hasRoomFor(2, 26)], [false, true, false]);
  assert.equal(told, 2);
  room.freeExpired(MINUTE_MS);
  assert.deepEqual([room.bytes, room.hasRoomFor(1, 50)], [0, true]);
});
