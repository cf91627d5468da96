/** Goal: uptime is the share of answered calls of each span, and nothing without calls. Method: made-up calls at made-up times. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Uptime } from './uptime.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

test('without calls there is no figure', () => {
  assert.deepEqual(new Uptime().figures(HOUR), { last5m: null, last30m: null, last1d: null });
});

test('each span has its own share, and what is older no longer counts', () => {
  const uptime = new Uptime();
  uptime.failed(0);
  for (let each = 0; each < 3; each += 1) uptime.good(2 * HOUR);
  uptime.failed(2 * HOUR + 20 * MINUTE);
  assert.deepEqual(uptime.figures(2 * HOUR + 20 * MINUTE), { last5m: 0, last30m: 75, last1d: 60 });
  assert.deepEqual(uptime.figures(2 * HOUR + 40 * MINUTE), { last5m: null, last30m: 0, last1d: 60 });
  assert.deepEqual(uptime.figures(27 * HOUR), { last5m: null, last30m: null, last1d: null });
});

test('one failure among many is not rounded away', () => {
  const uptime = new Uptime();
  for (let each = 0; each < 99_999; each += 1) uptime.good(each);
  uptime.failed(99_999);
  assert.equal(uptime.figures(100_000).last1d, 99.99);
});
