/** Goal: an id always finds its own, and a name finds nobody else's. Method: rows whose names are made to be in the way. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findNamed } from './find-scope.ts';

const ROWS = [
  { id: 1, name: 'Acme' },
  { id: 2, name: '1' },
  { id: 3, name: 'Twin' },
  { id: 4, name: 'Twin' },
];

test('an id stands for itself, whatever others are called', () => {
  for (const wanted of [1, '1']) assert.equal(findNamed(ROWS, wanted, 'account').id, 1);
  assert.equal(findNamed(ROWS, 'Acme', 'account').id, 1);
});

test('of several of one name none is meant, and the ids that are told find each', () => {
  assert.throws(() => findNamed(ROWS, 'Twin', 'account'), { code: 'conflict', facts: { ids: [3, 4] } });
  for (const id of [3, 4]) assert.equal(findNamed(ROWS, id, 'account').id, id);
});

test('what is neither is not found', () => {
  for (const wanted of ['acme', '01', 9, ''])
    assert.throws(() => findNamed(ROWS, wanted, 'account'), { code: 'not_found' });
});
