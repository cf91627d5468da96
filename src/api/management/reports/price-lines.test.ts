/** Goal: the lines shown are those billed. Method: properties over random usage and prices, compared with the formula of the cost. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { costOf } from '../../../billing/cost.ts';
import type { PriceLines, Prices } from '../../../catalog/model.ts';
import { type PicoUsd, picoUsd } from '../../../core/money.ts';
import type { Usage } from '../../../core/usage.ts';
import { costLines } from './price-lines.ts';

const price = fc.bigInt(0n, 10_000_000_000n).map((value) => picoUsd(value));
const maybe = fc.option(price);
const count = fc.nat({ max: 100_000 });

const lines: fc.Arbitrary<PriceLines> = fc.record({
  input: price,
  output: price,
  cacheRead: maybe,
  cacheWrite: maybe,
  cacheWrite1h: maybe,
  inputAudio: maybe,
  outputAudio: maybe,
  cacheReadAudio: maybe,
  inputImage: maybe,
  outputImage: maybe,
  reasoning: maybe,
  image: maybe,
  request: maybe,
  webSearch: maybe,
  fileSearch: maybe,
  codeInterpreter: maybe,
});

const unit = (name: string) => price.map((each) => ({ unit: name, price: each }));
const prices: fc.Arbitrary<Prices> = fc
  .tuple(lines, fc.array(fc.tuple(lines, count), { maxLength: 3 }), fc.tuple(unit('character'), unit('image/auto')))
  .map(([base, tiers, units]) => ({
    ...base,
    units,
    tiers: tiers
      .map(([tier, abovePromptTokens]) => ({ ...tier, abovePromptTokens }))
      .sort((left, right) => left.abovePromptTokens - right.abovePromptTokens),
  }));

const usage: fc.Arbitrary<Usage> = fc.record({
  inputTokens: count,
  cacheReadTokens: count,
  cacheWriteTokens: count,
  cacheWrite1hTokens: count,
  inputAudioTokens: count,
  outputTokens: count,
  outputAudioTokens: count,
  cachedAudioTokens: count,
  inputImageTokens: count,
  outputImageTokens: count,
  reasoningTokens: count,
  webSearches: count,
  fileSearches: count,
  codeContainers: count,
  units: count,
  unitLine: fc.nat(2),
});

test('the lines add up to the cost, for any usage and prices', () => {
  fc.assert(
    fc.property(usage, prices, (used, priced) => {
      const sum = costLines(used, priced).reduce((total, line) => total + line.cost, 0n);
      assert.equal(sum, costOf(used, priced));
    }),
  );
});

test('each line is its count times its price, and no count is zero', () => {
  fc.assert(
    fc.property(usage, prices, (used, priced) => {
      for (const line of costLines(used, priced)) {
        assert.ok(line.count > 0);
        assert.equal(line.cost, (BigInt(line.count) * line.price) as PicoUsd);
      }
    }),
  );
});
