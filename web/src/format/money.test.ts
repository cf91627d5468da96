/** Goal: amounts are shown so that a person reads them rightly, small ones too. Method: a table. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatPrice, formatUsd, formatUsdShort } from './money.ts';

test('amounts have two places, and as many as they need below ten cents', () => {
  const shown: readonly (readonly [number | string | null, string])[] = [
    [null, '–'],
    [0, '$0.00'],
    [1234.5, '$1,234.50'],
    [12.34, '$12.34'],
    [0.5, '$0.50'],
    [0.05, '$0.05'],
    [0.0123, '$0.0123'],
    [0.000123, '$0.000123'],
    [0.000001, '$0.000001'],
    [0.000000004, '$0.000000004'],
    [-0.25, '−$0.25'],
    ['12.5', '$12.50'],
    ['nonsense', '–'],
  ];
  assert.deepEqual(
    shown.map(([usd]) => formatUsd(usd)),
    shown.map(([, text]) => text),
  );
});

test('an axis has short ones', () => {
  assert.deepEqual([0, 0.0025, 0.25, 5, 5.5, 15, 1500].map(formatUsdShort), [
    '$0',
    '$0.0025',
    '$0.25',
    '$5',
    '$5.50',
    '$15',
    '$1.5K',
  ]);
});

test('a price keeps every place that counts', () => {
  assert.deepEqual(['2.5', '2', '0.0375', '0', null].map(formatPrice), ['$2.50', '$2.00', '$0.0375', 'free', '–']);
});
