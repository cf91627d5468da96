/** Goal: amounts are shown so that a person reads them rightly, small ones too. Method: a table. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatAvailable, formatPrice, formatUsd, formatUsdShort, formatUsdWhole } from './money.ts';

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

test('what is about to be changed is shown whole', () => {
  assert.deepEqual(['1000', '1234567.5', '0.000000001', '-5', '007', '.5'].map(formatUsdWhole), [
    '$1,000.00',
    '$1,234,567.50',
    '$0.000000001',
    '−$5.00',
    '$7.00',
    '$0.50',
  ]);
});

test('what there is to spend is never shown as more, and what is owed never as less', () => {
  assert.deepEqual([5.999719, 4.35, 6, 0, 0.9999997, 1234.567, 0.05, -5.001, -5, null].map(formatAvailable), [
    '$5.99',
    '$4.35',
    '$6.00',
    '$0.00',
    '$0.999999',
    '$1,234.56',
    '$0.05',
    '−$5.01',
    '−$5.00',
    '–',
  ]);
});
