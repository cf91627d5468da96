/** Goal: cached days are returned only while they are correct, and the cache is bounded. Method: days with a counted number of reads. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HourCache } from './hour-cache.ts';
import type { Cell } from './usage-sums.ts';

const CELLS = Array.from({ length: 10 }, (_, start): Cell => {
  const tokens = { prompt_tokens: 1n, completion_tokens: 1n, cached_tokens: 0n, reasoning_tokens: 0n };
  return { id: 1n, start, calls: 1n, failed: 0n, ...tokens, charge_nano: 1n, cache_hits: 0n, saved_nano: 0n };
});

test('a day is read again when a call was added to it', () => {
  const hours = new HourCache();
  const read = reader();
  for (const calls of [1n, 1n, 2n, 2n]) assert.equal(day(hours, 'a day', calls, read), CELLS);
  assert.equal(read.times(), 2);
});

test('a full cache drops the least recently used day', () => {
  const hours = new HourCache(25);
  const [first, second, third] = [reader(), reader(), reader()];
  day(hours, 'first', 1n, first);
  day(hours, 'second', 1n, second);
  day(hours, 'first', 1n, first);
  day(hours, 'third', 1n, third);
  day(hours, 'first', 1n, first);
  assert.equal(first.times(), 1);
  day(hours, 'second', 1n, second);
  assert.equal(second.times(), 2);
});

function day(hours: HourCache, question: string, calls: bigint, read: () => readonly Cell[]): readonly Cell[] {
  const found = hours.find(question, calls);
  if (found !== null) return found;
  const cells = read();
  hours.keep(question, calls, cells);
  return cells;
}

function reader() {
  let times = 0;
  const read = () => {
    times += 1;
    return CELLS;
  };
  return Object.assign(read, { times: () => times });
}
