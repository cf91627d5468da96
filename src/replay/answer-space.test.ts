/** Goal: the space that stored answers use is known without reading them. Method: bytes added and expired by hand. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AnswerSpace } from './answer-space.ts';

const MINUTE_MS = 60_000;

test('all space can be used up to the last byte, and running out is reported once', () => {
  let reported = 0;
  const space = new AnswerSpace(
    100,
    () => true,
    () => {
      reported += 1;
    },
  );
  space.take(1, 60, MINUTE_MS);
  assert.deepEqual(
    [space.hasSpaceFor(1, 40), space.hasSpaceFor(1, 41), space.hasSpaceFor(1, 41)],
    [true, false, false],
  );
  assert.equal(reported, 1);
  space.freeExpired(0);
  assert.equal(space.hasSpaceFor(1, 41), false);
  assert.equal(reported, 2);
});

test('expired answers are freed within a minute, and no others', () => {
  const space = new AnswerSpace(
    100,
    () => true,
    () => undefined,
  );
  space.take(1, 1, 1);
  space.take(1, 2, MINUTE_MS);
  space.take(1, 4, MINUTE_MS + 1);
  space.take(1, 8, 5 * MINUTE_MS);
  const left = [MINUTE_MS - 1, MINUTE_MS, 2 * MINUTE_MS, 3 * MINUTE_MS, 5 * MINUTE_MS].map((nowMs) => {
    space.freeExpired(nowMs);
    return space.bytes;
  });
  assert.deepEqual(left, [15, 12, 8, 8, 0]);
});

test('an account gets half of what the others leave, and its expired answers free space', () => {
  let reported = 0;
  const space = new AnswerSpace(
    100,
    () => false,
    () => {
      reported += 1;
    },
  );
  assert.deepEqual([space.hasSpaceFor(1, 50), space.hasSpaceFor(1, 51)], [true, false]);
  space.take(1, 50, MINUTE_MS);
  assert.deepEqual([space.hasSpaceFor(1, 1), space.hasSpaceFor(2, 25), space.hasSpaceFor(2, 26)], [false, true, false]);
  assert.equal(reported, 2);
  space.freeExpired(MINUTE_MS);
  assert.deepEqual([space.bytes, space.hasSpaceFor(1, 50)], [0, true]);
});
