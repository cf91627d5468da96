/** Goal: the space that stored answers use is known without reading them. Method: bytes added and expired by hand. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AnswerRoom } from './answer-room.ts';

const MINUTE_MS = 60_000;

test('all space can be used up to the last byte, and running out is reported once', () => {
  let reported = 0;
  const room = new AnswerRoom(
    100,
    () => true,
    () => {
      reported += 1;
    },
  );
  room.take(1, 60, MINUTE_MS);
  assert.deepEqual([room.hasRoomFor(1, 40), room.hasRoomFor(1, 41), room.hasRoomFor(1, 41)], [true, false, false]);
  assert.equal(reported, 1);
  room.freeExpired(0);
  assert.equal(room.hasRoomFor(1, 41), false);
  assert.equal(reported, 2);
});

test('expired answers are freed within a minute, and no others', () => {
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

test('an account gets half of what the others leave, and its expired answers free space', () => {
  let reported = 0;
  const room = new AnswerRoom(
    100,
    () => false,
    () => {
      reported += 1;
    },
  );
  assert.deepEqual([room.hasRoomFor(1, 50), room.hasRoomFor(1, 51)], [true, false]);
  room.take(1, 50, MINUTE_MS);
  assert.deepEqual([room.hasRoomFor(1, 1), room.hasRoomFor(2, 25), room.hasRoomFor(2, 26)], [false, true, false]);
  assert.equal(reported, 2);
  room.freeExpired(MINUTE_MS);
  assert.deepEqual([room.bytes, room.hasRoomFor(1, 50)], [0, true]);
});
