/** Goal: usage is priced exactly. Method: worked examples by hand, then properties over random usage and prices. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { PriceLines, Prices } from '../catalog/model.ts';
import { picoUsd } from '../core/money.ts';
import { unitPrices } from '../core/units/units.ts';
import { NO_USAGE, promptTokens, type Usage } from '../core/usage.ts';
import { costOf } from './cost.ts';

const plain: PriceLines = {
  input: picoUsd(3_000_000n),
  output: picoUsd(15_000_000n),
  cacheRead: null,
  cacheWrite: null,
  cacheWrite1h: null,
  inputAudio: null,
  outputAudio: null,
  cacheReadAudio: null,
  inputImage: null,
  outputImage: null,
  reasoning: null,
  image: null,
  request: null,
  webSearch: null,
  fileSearch: null,
  codeInterpreter: null,
};

const UNITS = unitPrices([
  ['image', picoUsd(40_000_000_000n)],
  ['character', picoUsd(15_000_000n)],
]);

const examples: [behaviour: string, usage: Partial<Usage>, lines: Partial<PriceLines>, cost: bigint][] = [
  ['nothing costs nothing', {}, {}, 0n],
  ['input and output have separate prices', { inputTokens: 1000, outputTokens: 10 }, {}, 3_150_000_000n],
  [
    'each cache line has its own price',
    { cacheReadTokens: 10, cacheWriteTokens: 20, cacheWrite1hTokens: 30 },
    { cacheRead: picoUsd(1n), cacheWrite: picoUsd(10n), cacheWrite1h: picoUsd(100n) },
    3210n,
  ],
  [
    'cache lines without a price are input',
    { cacheReadTokens: 1, cacheWriteTokens: 1, cacheWrite1hTokens: 1 },
    {},
    9_000_000n,
  ],
  [
    'an hour’s cache write without a price is a cache write',
    { cacheWrite1hTokens: 2 },
    { cacheWrite: picoUsd(7n) },
    14n,
  ],
  ['a price of zero is a price', { cacheReadTokens: 5 }, { cacheRead: picoUsd(0n) }, 0n],
  [
    'audio has its own prices',
    { inputAudioTokens: 2, outputAudioTokens: 3 },
    { inputAudio: picoUsd(10n), outputAudio: picoUsd(100n) },
    320n,
  ],
  ['audio without a price is text', { inputAudioTokens: 1, outputAudioTokens: 1 }, {}, 18_000_000n],
  ['reasoning is output', { outputTokens: 10, reasoningTokens: 4 }, { output: picoUsd(10n) }, 100n],
  [
    'reasoning with a price is subtracted from the output',
    { outputTokens: 10, reasoningTokens: 4 },
    { output: picoUsd(10n), reasoning: picoUsd(3n) },
    72n,
  ],
  [
    'more reasoning than output is not billed twice',
    { outputTokens: 10, reasoningTokens: 12 },
    { output: picoUsd(10n), reasoning: picoUsd(3n) },
    30n,
  ],
  ['a call’s fee is charged once', { inputTokens: 1 }, { input: picoUsd(1n), request: picoUsd(500n) }, 501n],
  ['searches have their own price', { webSearches: 3 }, { webSearch: picoUsd(10_000_000_000n) }, 30_000_000_000n],
  [
    'searches of files have their own price',
    { fileSearches: 3 },
    { fileSearch: picoUsd(2_500_000_000n) },
    7_500_000_000n,
  ],
  [
    'containers have their own price',
    { codeContainers: 2 },
    { codeInterpreter: picoUsd(30_000_000_000n) },
    60_000_000_000n,
  ],
  ['units are charged by the piece, at the line of the price list', { units: 3, unitLine: 2 }, {}, 120_000_000_000n],
  ['units without a price are free', { units: 3 }, {}, 0n],
  ['searches without a price are free', { webSearches: 3 }, {}, 0n],
];

for (const [behaviour, usage, lines, cost] of examples)
  test(behaviour, () => {
    assert.equal(costOf({ ...NO_USAGE, ...usage }, { ...plain, ...lines, units: UNITS, tiers: [] }), cost);
  });

test('a tier prices the whole call once the prompt, cached tokens included, is strictly above it', () => {
  const tier = (abovePromptTokens: number, input: bigint) => ({ ...plain, input: picoUsd(input), abovePromptTokens });
  const prices: Prices = {
    ...plain,
    input: picoUsd(1n),
    output: picoUsd(0n),
    units: [],
    tiers: [tier(100, 2n), tier(200, 3n)],
  };
  const cost = (inputTokens: number, cacheReadTokens: number) =>
    costOf({ ...NO_USAGE, inputTokens, cacheReadTokens }, prices);
  assert.equal(cost(100, 0), 100n);
  assert.equal(cost(60, 41), 202n);
  assert.equal(cost(200, 0), 400n);
  assert.equal(cost(0, 201), 603n);
});

test('audio from the cache and images are billed apart if they have a price, and never more of them than there is', () => {
  const usage = { ...NO_USAGE, cacheReadTokens: 100, cachedAudioTokens: 40, outputTokens: 50, outputImageTokens: 30 };
  const prices = { ...plain, cacheRead: picoUsd(1n), units: [], tiers: [] };
  const whole = costOf(usage, prices);
  assert.equal(whole, 100n + 50n * plain.output);
  const apart = { ...prices, cacheReadAudio: picoUsd(7n), outputImage: picoUsd(900n) };
  assert.equal(costOf(usage, apart), 60n + 40n * 7n + 20n * plain.output + 30n * 900n);
  const more = { ...usage, cachedAudioTokens: 1_000, outputImageTokens: 1_000 };
  assert.equal(costOf(more, apart), 100n * 7n + 50n * 900n);
});

test('images that are read are billed apart if they have a price, and never more of them than there is input', () => {
  const usage = { ...NO_USAGE, inputTokens: 50, inputImageTokens: 30, cacheReadTokens: 10 };
  const prices = { ...plain, cacheRead: picoUsd(1n), units: [], tiers: [] };
  assert.equal(costOf(usage, prices), 50n * plain.input + 10n);
  const apart = { ...prices, inputImage: picoUsd(900n) };
  assert.equal(costOf(usage, apart), 20n * plain.input + 30n * 900n + 10n);
  assert.equal(costOf({ ...usage, inputImageTokens: 1_000 }, apart), 50n * 900n + 10n);
});

test('an invalid count throws here and does not reach the ledger', () => {
  for (const count of [-1, 0.5, Number.NaN, 2 ** 53])
    assert.throws(
      () => costOf({ ...NO_USAGE, outputTokens: count }, { ...plain, units: [], tiers: [] }),
      /invalid count/,
    );
  const units = { ...plain, units: UNITS, tiers: [] };
  assert.throws(() => costOf({ ...NO_USAGE, units: 1, unitLine: 3 }, units), /invalid place/);
  assert.throws(() => costOf({ ...NO_USAGE, units: -1, unitLine: 1 }, units), /invalid count/);
});

const price = fc.bigInt({ min: 0n, max: 600_000_000n }).map(picoUsd);
const line = fc.option(price, { nil: null });
const lines = fc.record<PriceLines>({
  input: price,
  output: price,
  cacheRead: line,
  cacheWrite: line,
  cacheWrite1h: line,
  inputAudio: line,
  outputAudio: line,
  // Parts of other counts, like reasoning: one more of them may cost less.
  cacheReadAudio: fc.constant(null),
  inputImage: fc.constant(null),
  outputImage: fc.constant(null),
  reasoning: fc.constant(null),
  image: line,
  request: line,
  webSearch: line,
  fileSearch: line,
  codeInterpreter: line,
});
const flat = lines.map((all): Prices => ({ ...all, units: UNITS, tiers: [] }));
const tiered = fc
  .tuple(flat, lines, fc.nat(1_000_000))
  .map(([base, above, abovePromptTokens]): Prices => ({ ...base, tiers: [{ ...above, abovePromptTokens }] }));
const count = fc.nat(2_000_000);
const usages = fc.record<Usage>({
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
  webSearches: fc.nat(100),
  fileSearches: fc.nat(100),
  codeContainers: fc.nat(100),
  units: fc.nat(100),
  unitLine: fc.nat(2),
});

test('a cost is never negative, and the same usage costs the same again', () => {
  fc.assert(
    fc.property(usages, tiered, (usage, prices) => {
      const cost = costOf(usage, prices);
      assert.ok(cost >= 0n);
      assert.equal(costOf({ ...usage }, structuredClone(prices)), cost);
    }),
  );
});

test('one more of anything never costs less', () => {
  const names = (Object.keys(NO_USAGE) as (keyof Usage)[]).filter((name) => name !== 'unitLine');
  const counter = fc.constantFrom(...names);
  fc.assert(
    fc.property(usages, flat, counter, (usage, prices, name) => {
      assert.ok(costOf({ ...usage, [name]: usage[name] + 1 }, prices) >= costOf(usage, prices));
    }),
  );
});

test('a tier prices like a separate price list', () => {
  fc.assert(
    fc.property(usages, tiered, (usage, prices) => {
      const tier = prices.tiers[0];
      assert.ok(tier !== undefined);
      const above = promptTokens(usage) > tier.abovePromptTokens;
      const expected = costOf(usage, { ...(above ? tier : prices), units: UNITS, tiers: [] });
      assert.equal(costOf(usage, prices), expected);
    }),
  );
});
