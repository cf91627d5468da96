/** Goal: a price by the piece takes no price of tokens away. Method: what a pin sets, over price lists before it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readOwnPrices, writeOwnPrices } from './own-prices.ts';
import { readPinnedPrices } from './pinned-prices.ts';

const before = readOwnPrices({
  ...{ input: '5', output: '40', cacheRead: '1.25', webSearch: '0.01', units: { image: '0.04', search: '0.002' } },
  tiers: [{ abovePromptTokens: 100, input: '10', output: '80' }],
});

test('prices of units alone are added to what applies of tokens, and replace the units', () => {
  const pinned = readPinnedPrices({ units: { image: '0.05' }, cacheRead: '1' }, before);
  assert.deepEqual(writeOwnPrices(pinned), {
    ...writeOwnPrices(before),
    cacheRead: '1',
    units: { image: '0.05' },
  });
});

test('prices with those of tokens are all that apply', () => {
  const written = { input: '0', output: '0', units: { image: '0.05' } };
  assert.deepEqual(writeOwnPrices(readPinnedPrices(written, before)), written);
});

test('a model without a price is charged by its units alone', () => {
  assert.deepEqual(writeOwnPrices(readPinnedPrices({ units: { image: '0.05' } }, null)), {
    ...{ input: '0', output: '0', units: { image: '0.05' } },
  });
});
