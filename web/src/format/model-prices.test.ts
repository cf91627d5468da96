import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  inputPartPrices,
  inputPrice,
  type ModelPricing,
  outputPartPrices,
  outputPrice,
  tokenPrice,
} from './model-prices.ts';

const zero = { input: '0', output: '0' };
for (const [pricing, input, output, sorted] of [
  [zero, 'free', 'free', 0],
  [{ input: null, output: null }, '–', '–', null],
  [{ ...zero, units: { image: '0.01' } }, '–', '$0.01/image', null],
  [{ ...zero, units: { image: '0' } }, 'free', 'free', 0],
  [{ ...zero, units: { 'image/big': '0.17', image: '0.011', page: '1' } }, '–', '$0.011–0.17/image + $1/page', null],
  [{ input: '5', output: '40', units: { image: '0.01' } }, '$5.00', '$40.00 + $0.01/image', 5],
] as [ModelPricing, string, string, number | null][])
  test(`${JSON.stringify(pricing)} costs ${input} and ${output}`, () => {
    assert.deepEqual(
      [inputPrice(pricing), outputPrice(pricing), tokenPrice(pricing, 'input')],
      [input, output, sorted],
    );
  });

test('images and sound are named with their own prices, if they have any', () => {
  const texts = (pricing: ModelPricing) => [inputPartPrices(pricing), outputPartPrices(pricing)];
  assert.deepEqual(texts(zero), [null, null]);
  assert.deepEqual(texts({ input: '5', output: '10', input_image: '8', output_image: '30', output_audio: '64' }), [
    '$8.00 images',
    '$30.00 images, $64.00 audio',
  ]);
  assert.deepEqual(texts({ input: '5', output: '10', output_audio: '0' }), [null, 'free audio']);
});
