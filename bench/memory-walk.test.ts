/** Goal: the walk is long enough to be timed, and its report describes what was measured. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MemoryWalk } from './memory-walk.ts';

test('a walk says how long its steps take, and nothing before there was one', () => {
  const walk = new MemoryWalk();
  assert.equal(walk.words(), null);
  for (let time = 0; time < 4; time += 1) walk.measure();
  const [, middle, low, high] =
    walk
      .words()
      ?.match(/: (\d+) ns \(quartiles (\d+) and (\d+)\)$/)
      ?.map(Number) ?? [];
  assert.ok(low !== undefined && middle !== undefined && high !== undefined);
  assert.ok(low >= 1 && low <= middle && middle <= high && high < 10_000, walk.words() ?? '');
});
