/** Goal: counts, shares, times and durations read well at every size. Method: tables; the current time is fixed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  formatAgo,
  formatDate,
  formatMs,
  formatPoints,
  formatShare,
  formatShort,
  formatStart,
  formatTime,
} from './figures.ts';
import { chooseZone, startOfDay } from './zone.ts';

test('counts are whole below 10,000', () => {
  assert.deepEqual([0, 9999, 12_345, 3_400_000].map(formatShort), ['0', '9,999', '12.3K', '3.4M']);
});

test('a small share is not shown as zero', () => {
  assert.deepEqual([0, 0.0004, 0.0042, 0.12, 1, Number.NaN].map(formatShare), [
    '0%',
    '< 0.1%',
    '0.4%',
    '12%',
    '100%',
    '–',
  ]);
});

test('durations', () => {
  assert.deepEqual([null, 0.42, 230.4, 1400, 12_345, 125_000].map(formatMs), [
    '–',
    '0.4 ms',
    '230 ms',
    '1.40 s',
    '12.3 s',
    '2 min 5 s',
  ]);
});

test('a relative time is counted from now, before and after', () => {
  const now = Date.parse('2026-11-21T12:00:00Z');
  const minutes = [0, 0.5, 5, 90, 60 * 30, -0.2, -30, -60 * 48];
  assert.deepEqual(
    minutes.map((ago) => formatAgo(now - ago * 60_000, now)),
    ['just now', 'just now', '5 min ago', '2 h ago', '1 d ago', 'in a moment', 'in 30 min', 'in 2 d'],
  );
});

test('times are shown in the chosen zone, and a day by its name', () => {
  for (const choice of ['utc', 'local'] as const) {
    chooseZone(choice);
    const midnight = startOfDay(Date.parse('2026-11-21T12:00:00.000Z'));
    const day = choice === 'utc' ? '21 Nov 2026' : formatDate('2026-11-21T12:00:00.000Z');
    assert.equal(formatStart(new Date(midnight).toISOString(), 'day'), day);
    assert.equal(formatStart(new Date(midnight - 45 * 60_000).toISOString(), 'day'), day, 'where it begins early');
    assert.equal(formatStart(new Date(midnight).toISOString(), 'minute'), `${day}, 00:00`);
    assert.equal(formatTime(midnight), `${day}, 00:00:00`);
  }
});

test('a change of a share is shown in points', () => {
  assert.equal(formatPoints(0.012), '1.2 points');
  assert.equal(formatPoints(-0.25), '25 points');
  assert.equal(formatPoints(0.01), '1.0 point');
  assert.equal(formatPoints(0.0004), '< 0.1 points');
  assert.equal(formatPoints(0), '0 points');
});
