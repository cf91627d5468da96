import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BadBatch } from '../../journal/batch-layout.ts';
import { refusesSettlements } from './refused-settlements.ts';

const withCode = (code: string) => Object.assign(new Error('no'), { code });

test('only what is wrong with the settlements themselves sets them aside', () => {
  const refused = [new BadBatch('ends too early'), withCode('22003'), withCode('23514')];
  const temporary = [
    ...['08006', '40P01', '40001', '53100', '57P01', '42883', 'ECONNREFUSED', 'XX000'].map(withCode),
    new Error('Connection terminated unexpectedly'),
    'a text',
  ];
  assert.deepEqual(refused.map(refusesSettlements), [true, true, true]);
  assert.deepEqual(
    temporary.map(refusesSettlements),
    temporary.map(() => false),
  );
});
