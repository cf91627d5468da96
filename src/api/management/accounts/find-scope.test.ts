/** Goal: an id always finds its row, and a name never hides another row's id. Method: rows with names that look like ids. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findNamed } from './find-scope.ts';

const ROWS = [
  { id: 1, name: 'Acme' },
  { id: 2, name: '1' },
  { id: 3, name: 'Twin' },
  { id: 4, name: 'Twin' },
];

test('an id finds its row, whatever other rows are called', () => {
  for (const wanted of [1, '1']) assert.equal(findNamed(ROWS, wanted, 'account').id, 1);
  assert.equal(findNamed(ROWS, 'Acme', 'account').id, 1);
});

test('an ambiguous name is refused with the ids, which find each row', () => {
  assert.throws(() => findNamed(ROWS, 'Twin', 'account'), { code: 'conflict', facts: { ids: [3, 4] } });
  for (const id of [3, 4]) assert.equal(findNamed(ROWS, id, 'account').id, id);
});

test('an unknown id or name is not found', () => {
  for (const wanted of ['acme', '01', 9, ''])
    assert.throws(() => findNamed(ROWS, wanted, 'account'), { code: 'not_found' });
});
