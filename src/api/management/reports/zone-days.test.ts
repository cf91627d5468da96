/** Goal: days begin at midnight in their zone, also when clocks change. Method: zones with known offsets and changes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkZone, isUtc, zoneDays } from './zone-days.ts';

const HOUR_MS = 3_600_000;

test('days begin at midnight in their zone, and the last one covers the end of the range', () => {
  assert.deepEqual(daysOf('Europe/Berlin', '2026-11-20T10:00:00Z', '2026-11-22T23:00:00Z'), [
    '2026-11-19T23:00',
    '2026-11-20T23:00',
    '2026-11-21T23:00',
    '2026-11-22T23:00',
  ]);
  assert.deepEqual(daysOf('America/Los_Angeles', '2026-11-20T10:00:00Z', '2026-11-20T10:00:01Z'), [
    '2026-11-20T08:00',
    '2026-11-21T08:00',
  ]);
});

test('a day on which the clocks change has 23 or 25 hours', () => {
  for (const [from, hours] of [
    ['2026-03-29T10:00:00Z', 23],
    ['2026-10-25T10:00:00Z', 25],
  ] as const) {
    const [begin = 0, end = 0] = zoneDays('Europe/Berlin', Date.parse(from), Date.parse(from) + 1);
    assert.equal(end - begin, hours);
  }
});

test('if midnight is not a whole hour in UTC, a day begins with the hour that contains it', () => {
  assert.deepEqual(daysOf('Asia/Kolkata', '2026-11-20T10:00:00Z', '2026-11-20T11:00:00Z'), [
    '2026-11-19T18:00',
    '2026-11-20T18:00',
  ]);
  assert.deepEqual(daysOf('Asia/Kathmandu', '2026-11-20T10:00:00Z', '2026-11-20T11:00:00Z'), [
    '2026-11-19T18:00',
    '2026-11-20T18:00',
  ]);
});

test('a day that a zone skipped is skipped', () => {
  // https://en.wikipedia.org/wiki/Time_in_Samoa: 30 December 2011 never was.
  const days = zoneDays('Pacific/Apia', Date.parse('2011-12-29T12:00:00Z'), Date.parse('2011-12-31T12:00:00Z'));
  assert.deepEqual(
    days.slice(1).map((hour, index) => hour - (days[index] as number)),
    [24, 24, 24],
  );
});

test('an unknown zone is refused, and UTC is recognised by its names', () => {
  for (const zone of [
    'Europe/Nowhere',
    'x',
    '2026-11-20',
    '2026-11-01T00:00Z',
    '2026-11-01T00:00-05',
    'T00:00Z',
    '::::',
    '',
  ])
    for (const read of [() => zoneDays(zone, 0, 1), () => checkZone(zone), () => isUtc(zone)])
      assert.throws(read, { code: 'invalid_value', param: 'time_zone' }, zone);
  for (const zone of ['UTC', 'Etc/GMT+3', 'America/Argentina/Buenos_Aires', '+05:30', 'EST5EDT']) checkZone(zone);
  assert.deepEqual(['UTC', 'etc/utc', 'GMT', 'Europe/Berlin', 'Europe/London'].map(isUtc), [
    true,
    true,
    true,
    false,
    false,
  ]);
});

function daysOf(zone: string, from: string, to: string): string[] {
  return zoneDays(zone, Date.parse(from), Date.parse(to)).map((hour) =>
    new Date(hour * HOUR_MS).toISOString().slice(0, 16),
  );
}
