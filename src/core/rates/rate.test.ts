/**
 * Goal: rates are exact, bounded, and round once and up. Method: percentages and amounts at the limits, and a comparison with
 * rational arithmetic for seeded amounts.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nanoUsd, picoUsd } from '../money.ts';
import {
  atRate,
  feePercent,
  feeRate,
  isPercent,
  isRate,
  LIST_RATE,
  markupPercent,
  markupRate,
  NO_CHARGE,
  priceAtRate,
  type Rate,
  rate,
} from './rate.ts';

test('percentages become whole parts per million and come back unchanged', () => {
  assert.deepEqual(
    [markupRate(0), markupRate(10), markupRate(12.5), markupRate(10_000)],
    [1_000_000, 1_100_000, 1_125_000, 101_000_000],
  );
  assert.deepEqual([feeRate(0), feeRate(5), feeRate(0.0001), feeRate(10_000)], [0, 50_000, 1, 100_000_000]);
  for (const percent of [0, 0.0001, 0.1, 0.3, 1 / 4, 7.7777, 33.3333, 99.9999, 1_234.5678, 10_000]) {
    assert.equal(markupPercent(markupRate(percent)), percent);
    assert.equal(feePercent(feeRate(percent)), percent);
  }
});

test('what is no percentage is refused', () => {
  const wrong = [-1, -0.0001, 10_000.0001, 0.00001, 1 / 3, Number.NaN, Number.POSITIVE_INFINITY];
  for (const percent of wrong) {
    assert.equal(isPercent(percent), false, String(percent));
    assert.throws(() => markupRate(percent));
    assert.throws(() => feeRate(percent));
  }
  for (const parts of [-1, 0.5, 101_000_001, Number.NaN]) {
    assert.equal(isRate(parts), false);
    assert.throws(() => rate(parts));
  }
});

test('a charge is cost × rate, rounded up to the next nano-dollar', () => {
  const cases: readonly [bigint, number, bigint][] = [
    [0n, 1_100_000, 0n],
    [1n, 1_000_001, 2n],
    [1n, 1, 1n],
    [1_000_000n, 1, 1n],
    [1_000_001n, 1, 2n],
    [10n, 1_100_000, 11n],
    [11n, 1_100_000, 13n],
    [7n, 101_000_000, 707n],
  ];
  for (const [cost, parts, charged] of cases) assert.equal(atRate(nanoUsd(cost), rate(parts)), charged);
  assert.equal(atRate(nanoUsd(123n), LIST_RATE), 123n);
  assert.equal(atRate(nanoUsd(123n), NO_CHARGE), 0n);
});

test('the price of a unit at a rate is never too low for what its units are charged', () => {
  let seed = 7;
  const next = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed % below;
  };
  for (let time = 0; time < 2_000; time += 1) {
    const at = next(101_000_001) as Rate;
    const price = picoUsd(BigInt(next(100_000_000)));
    const units = BigInt(next(1_000_000));
    const exact = price * units * BigInt(at);
    assert.ok(priceAtRate(price, at) * units * 1_000_000n >= exact);
    assert.ok(priceAtRate(price, at) * 1_000_000n - price * BigInt(at) < 1_000_000n);
  }
});
