// Goal: a named range is whole minutes, hours, days or months of the chosen zone. Method: moments, in UTC and in the machine's zone.
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { chooseZone, startOfDay } from '../format/zone.ts';
import { isRangeName, RANGE_NAMES, rangeTime } from './range-time.ts';

afterEach(() => chooseZone('local'));
const NOW = Date.parse('2026-11-22T14:05:09.123Z');

test('in UTC', () => {
  chooseZone('utc');
  const named = Object.fromEntries(
    RANGE_NAMES.map((name) => {
      const { from, to, interval } = rangeTime(name, NOW);
      return [name, `${from.slice(0, 16)} ${to.slice(0, 16)} ${interval}`];
    }),
  );
  assert.deepEqual(named, {
    '1h': '2026-11-22T13:06 2026-11-22T14:06 minute',
    '24h': '2026-11-21T15:00 2026-11-22T15:00 hour',
    '7d': '2026-11-15T15:00 2026-11-22T15:00 hour',
    '30d': '2026-10-24T00:00 2026-11-23T00:00 day',
    today: '2026-11-22T00:00 2026-11-22T15:00 hour',
    month: '2026-11-01T00:00 2026-11-23T00:00 day',
    last_month: '2026-10-01T00:00 2026-11-01T00:00 day',
    '90d': '2026-08-25T00:00 2026-11-23T00:00 day',
  });
});

test('days and months of the browser’s zone begin and end at its midnights', () => {
  for (const name of ['30d', 'month', 'last_month', '90d'] as const) {
    const { from, to } = rangeTime(name, NOW);
    for (const at of [from, to]) assert.equal(startOfDay(Date.parse(at)), Date.parse(at), `${name} ${at}`);
  }
});

test('the first days of a month are shown by the hour', () => {
  chooseZone('utc');
  const { from, to, interval } = rangeTime('month', Date.parse('2026-11-02T09:30:00Z'));
  assert.deepEqual([from, to, interval], ['2026-11-01T00:00:00.000Z', '2026-11-02T10:00:00.000Z', 'hour']);
});

test('an unknown name is rejected', () => {
  assert.deepEqual(['1h', 'last_month', 'toString', ''].map(isRangeName), [true, true, false, false]);
});
