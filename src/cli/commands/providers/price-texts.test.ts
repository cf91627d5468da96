/** Goal: no message has JSON of prices in it. Method: price lists as the management API writes them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { priceTexts } from './price-texts.ts';

test('units and the lines of tiers are lines like any other', () => {
  const tiers = [{ abovePromptTokens: 200_000, input: '10', output: '80' }];
  assert.deepEqual(priceTexts({ input: '5', units: { image: '0.04', 'image/1024x1024': '0.08' }, tiers }), [
    ['input', '5'],
    ['image', '0.04'],
    ['image/1024x1024', '0.08'],
    ['input above 200000', '10'],
    ['output above 200000', '80'],
  ]);
});
