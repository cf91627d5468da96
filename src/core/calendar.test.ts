/** Goal: windows begin where people expect them. Method: known dates, and every day of forty years. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dayOf, dayStart, dayText, hourOf, monthOf, nextMonthOf, weekOf } from './calendar.ts';

test('a day runs from midnight to midnight UTC', () => {
  const day = dayOf(Date.UTC(2026, 10, 21));
  assert.equal(dayOf(Date.UTC(2026, 10, 21, 23, 59, 59, 999)), day);
  assert.equal(dayOf(Date.UTC(2026, 10, 22)), day + 1);
  assert.equal(dayText(day), '2026-11-21');
  assert.equal(hourOf(Date.UTC(2026, 10, 21, 5, 59)), day * 24 + 5);
});

test('weeks begin on Mondays and months on the first, every day of forty years', () => {
  for (let day = dayOf(Date.UTC(2000, 0, 1)); day < dayOf(Date.UTC(2040, 0, 1)); day += 1) {
    const monday = new Date(dayStart(weekOf(day)));
    assert.equal(monday.getUTCDay(), 1);
    assert.ok(day - weekOf(day) >= 0 && day - weekOf(day) < 7);
    const first = new Date(dayStart(monthOf(day)));
    assert.equal(first.getUTCDate(), 1);
    assert.equal(first.getUTCMonth(), new Date(dayStart(day)).getUTCMonth());
    assert.ok(day < nextMonthOf(day) && monthOf(nextMonthOf(day)) === nextMonthOf(day));
  }
});
