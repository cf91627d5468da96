/** Goal: files of different tables have different names, with the days that they contain. Method: names for chosen times. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tableName } from './table-name.ts';

const NOW = Date.parse('2026-11-23T01:30:00Z');
const from = Date.parse('2026-11-16T00:00:00Z');

test('a name has the first and the last day in the table', () => {
  assert.equal(
    tableName('usage-by-model', { fromMs: from, toMs: NOW }, NOW),
    'usage-by-model-2026-11-16-to-2026-11-23.csv',
  );
  const midnight = Date.parse('2026-11-23T00:00:00Z');
  assert.equal(tableName('calls', { fromMs: from, toMs: midnight }, NOW), 'calls-2026-11-16-to-2026-11-22.csv');
});

test('days are in the requested time zone', () => {
  const month = { fromMs: Date.parse('2026-11-01T00:00:00Z'), toMs: Date.parse('2026-12-01T00:00:00Z') };
  assert.equal(tableName('ledger', month, NOW), 'ledger-2026-11-01-to-2026-11-23.csv', 'the current month');
  const time = { fromMs: from, toMs: NOW, timeZone: 'America/New_York' };
  assert.equal(tableName('usage', time, NOW), 'usage-2026-11-15-to-2026-11-22.csv');
});

test('without a start the name has the last day, and a table of the current state has today', () => {
  assert.equal(tableName('calls', { fromMs: null, toMs: null }, NOW), 'calls-to-2026-11-23.csv');
  assert.equal(tableName('calls', { fromMs: from, toMs: null }, NOW), 'calls-2026-11-16-to-2026-11-23.csv');
  assert.equal(tableName('keys', 'now', NOW), 'keys-2026-11-23.csv');
});
