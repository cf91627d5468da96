/** Goal: a price as text becomes the exact integer. Method: texts at the limits of what a price can be. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatPricePerMillion, parsePricePerMillion } from './prices.ts';

test('USD per million tokens is pico-USD per token, exactly, and back', () => {
  for (const [text, pico, back] of [
    ['0', 0n, '0'],
    ['0.000001', 1n, '0.000001'],
    ['2.50', 2_500_000n, '2.5'],
    ['9999999.999999', 9_999_999_999_999n, '9999999.999999'],
    ['0.1', 100_000n, '0.1'],
  ] as const) {
    assert.equal(parsePricePerMillion(text), pico);
    assert.equal(formatPricePerMillion(parsePricePerMillion(text)), back);
  }
});

test('too many decimals, negative numbers and anything but plain decimals are refused with the reason', () => {
  for (const [text, message] of [
    ['0.0000001', /6 decimal places/],
    ['-1', /negative/],
    ['1e3', /plain decimal/],
    ['', /plain decimal/],
    ['1,5', /plain decimal/],
  ] as const)
    assert.throws(() => parsePricePerMillion(text), message);
});
