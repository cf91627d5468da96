/** Goal: a change is shown field by field, and only what changed. Method: pairs of before and after, as the log has them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changesOf, writeValue } from './diff.ts';

test('changed fields within objects are listed one by one, unchanged ones are not', () => {
  const changes = changesOf({
    before: { name: 'a', limits: { budgets: { month: '50' }, requests_per_minute: 60 } },
    after: { name: 'a', limits: { budgets: { month: '100' }, requests_per_minute: null } },
  });
  assert.deepEqual(changes, [
    { field: 'limits › budgets › month', before: '50', after: '100' },
    { field: 'limits › requests per minute', before: 60, after: null },
  ]);
});

test('for a new object every field with a value is listed', () => {
  const changes = changesOf({ before: null, after: { name: 'x', note: null } });
  assert.deepEqual(
    changes.map(({ field }) => field),
    ['name'],
  );
});

test('values are written for people', () => {
  assert.equal(writeValue(null), 'none');
  assert.equal(writeValue([]), 'none');
  assert.equal(writeValue(false), 'no');
  assert.equal(writeValue(['a', 'b']), 'a, b');
});
