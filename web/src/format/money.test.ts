// Goal: amounts are shown so that people read them correctly: small ones are not zero, those shown together align, a
// total is as exact as its rows. Method: tables, and for the rule itself amounts over all sizes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  exactUsd,
  formatAvailable,
  formatPrice,
  formatUsd,
  formatUsdShort,
  formatUsdWhole,
  placesOf,
  type Usd,
  usdText,
} from './money.ts';

test('a single amount has two decimals, or as many more as it needs to differ from zero', () => {
  const shown: readonly (readonly [Usd, string])[] = [
    [null, '–'],
    [0, '$0.00'],
    [1234.5, '$1,234.50'],
    [12.34, '$12.34'],
    [1.005, '$1.01'],
    [0.5, '$0.50'],
    [0.05, '$0.05'],
    [0.0549, '$0.0549'],
    [0.0123, '$0.0123'],
    [0.00001, '$0.000010'],
    [0.000123, '$0.000123'],
    [0.000001, '$0.000001'],
    [0.000000004, '$0.000000004'],
    [-0.25, '−$0.25'],
    ['12.5', '$12.50'],
    ['1e3', '–'],
    ['nonsense', '–'],
  ];
  assert.deepEqual(
    shown.map(([usd]) => formatUsd(usd)),
    shown.map(([, text]) => text),
  );
});

test('amounts shown together have the same decimals, and so does their total', () => {
  const column = [1.39281743, 0.2871, 0.000573, 0, null];
  const total = column.reduce<number>((sum, usd) => sum + (usd ?? 0), 0);
  const together = [...column, total];
  assert.deepEqual(
    together.map((usd) => formatUsd(usd, together)),
    ['$1.392817', '$0.287100', '$0.000573', '$0.000000', '–', '$1.680490'],
  );
  assert.deepEqual(
    [5, 0.25].map((usd) => formatUsd(usd, [5, 0.25])),
    ['$5.00', '$0.25'],
  );
});

test('no amount of the ledger is shown as zero, and each has two significant digits or six decimals', () => {
  for (let power = 0; power < 15; power += 1)
    for (const digits of [1, 1.25, 4.999, 9.9999]) {
      const usd = Math.round(digits * 10 ** power) / 1e9;
      const text = formatUsd(usd);
      const shown = Number(text.replace(/[$,]/g, ''));
      assert.ok(shown > 0, `${usd} is ${text}`);
      assert.ok(Math.abs(shown - usd) <= Math.max(usd * 0.051, 5e-7), `${usd} is ${text}`);
      assert.ok([2, 4, 6, 9].includes(placesOf([usd])));
    }
});

test('the title has every decimal, and no exponent', () => {
  assert.deepEqual([0.0000001, 1e-9, 12, 0.002256, '3.5', null].map(exactUsd), [
    '$0.0000001 USD',
    '$0.000000001 USD',
    '$12.00 USD',
    '$0.002256 USD',
    '$3.50 USD',
    undefined,
  ]);
});

test('an axis has short ones, all alike', () => {
  assert.deepEqual(
    [0, 0.0025, 0.25, 5, 5.5, 15, 1500].map((usd) => formatUsdShort(usd)),
    ['$0', '$0.0025', '$0.25', '$5', '$5.50', '$15', '$1.5K'],
  );
  const axis = (ticks: readonly number[]) => ticks.map((usd) => formatUsdShort(usd, ticks));
  assert.deepEqual(axis([0, 0.1, 0.2, 0.1 + 0.2]), ['$0', '$0.10', '$0.20', '$0.30']);
  assert.deepEqual(axis([0, 0.000005, 0.00001]), ['$0', '$0.000005', '$0.000010']);
  assert.deepEqual(axis([0, 2.5, 5]), ['$0', '$2.50', '$5.00']);
  assert.deepEqual(axis([0, 500, 1000]), ['$0', '$500', '$1K']);
});

test('a price keeps every place that counts', () => {
  assert.deepEqual(['2.5', '2', '0.0375', '0', null].map(formatPrice), ['$2.50', '$2.00', '$0.0375', 'free', '–']);
});

test('an amount in a form is shown exactly', () => {
  assert.deepEqual(['1000', '1234567.5', '0.000000001', '-5', '007', '.5'].map(formatUsdWhole), [
    '$1,000.00',
    '$1,234,567.50',
    '$0.000000001',
    '−$5.00',
    '$7.00',
    '$0.50',
  ]);
});

test('an available amount is never shown as more, and a debt never as less', () => {
  assert.deepEqual(
    [5.999719, 4.35, 6, 0, 0.9999997, 1234.567, 0.05, 0.0549, -5.001, -5, null].map((usd) => formatAvailable(usd)),
    ['$5.99', '$4.35', '$6.00', '$0.00', '$0.99', '$1,234.56', '$0.05', '$0.0549', '−$5.01', '−$5.00', '–'],
  );
});

test('amounts that may be spent align too, and are not rounded up for it', () => {
  const together = [5.9999999, 0.00001];
  assert.deepEqual(
    together.map((usd) => formatAvailable(usd, together)),
    ['$5.999999', '$0.000010'],
  );
});

test('a number of an answer is the text that a form holds and a request has', () => {
  const rows: readonly (readonly [number | null | undefined, string])[] = [
    [null, ''],
    [undefined, ''],
    [0, '0'],
    [5, '5'],
    [0.1, '0.1'],
    [1e-9, '0.000000001'],
    [2.5e-7, '0.00000025'],
    [100.000000001, '100.000000001'],
  ];
  for (const [value, text] of rows) assert.equal(usdText(value), text);
});
