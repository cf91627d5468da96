/** Goal: importing a table takes away no price that it says nothing of. Method: price lists before and in the table. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { picoUsd } from '../../core/money.ts';
import type { Prices } from '../model.ts';
import { FREE } from '../prices.ts';
import { withKept } from './kept-prices.ts';

const TOKENS: Prices = { ...FREE, input: picoUsd(5n), output: picoUsd(40n) };
const IMAGES = [{ unit: 'image', price: picoUsd(40n) }];

test('fees of tools stay where the table has none, in each tier, and are replaced where it has one', () => {
  const before = { ...TOKENS, webSearch: picoUsd(10n), fileSearch: picoUsd(20n) };
  const table = { ...TOKENS, fileSearch: picoUsd(30n), tiers: [{ ...TOKENS, abovePromptTokens: 100 }] };
  const { prices, kept } = withKept(table, before, false);
  assert.deepEqual(kept, ['webSearch']);
  assert.deepEqual([prices.webSearch, prices.fileSearch, prices.tiers[0]?.webSearch], [10n, 30n, 10n]);
});

test('lines of tokens stay where the table has none, in the same tier, and not where tokens have no price', () => {
  const tier = { ...TOKENS, abovePromptTokens: 100 };
  const before: Prices = {
    ...{ ...TOKENS, cacheRead: picoUsd(1n), inputAudio: picoUsd(7n) },
    tiers: [
      { ...tier, cacheRead: picoUsd(2n) },
      { ...tier, cacheRead: picoUsd(3n), abovePromptTokens: 200 },
    ],
  };
  const table = { ...TOKENS, inputAudio: picoUsd(8n), tiers: [tier, { ...tier, abovePromptTokens: 300 }] };
  const { prices, kept } = withKept(table, before, false);
  assert.deepEqual(kept, ['cacheRead']);
  assert.deepEqual([prices.cacheRead, prices.inputAudio], [1n, 8n]);
  assert.deepEqual(
    prices.tiers.map(({ cacheRead }) => cacheRead),
    [2n, null],
  );
  assert.deepEqual(withKept({ ...FREE, units: IMAGES }, before, false).kept, []);
});

test('prices by the piece stay next to those of tokens, and where an operator set them', () => {
  const of = (before: Partial<Prices>, isOwn = false, table: Prices = TOKENS) => {
    const { prices, kept } = withKept(table, { ...FREE, ...before }, isOwn);
    return [prices.units.map(({ unit, price }) => `${unit} ${price}`).join(), kept.join()];
  };
  assert.deepEqual(of({ ...TOKENS, units: IMAGES }), ['image 40', 'image']);
  assert.deepEqual(of({ units: IMAGES }, true), ['image 40', 'image']);
  // A table that charged by the piece, and charges by tokens now, does not charge twice.
  assert.deepEqual(of({ units: IMAGES }), ['', '']);
  const dearer = [{ unit: 'image', price: picoUsd(50n) }];
  assert.deepEqual(of({ ...TOKENS, units: IMAGES }, true, { ...TOKENS, units: dearer }), ['image 50', '']);
  assert.deepEqual(withKept(TOKENS, null, true), { prices: TOKENS, kept: [] });
});
