/**
 * Goal: no honest call costs more than was held for it. Method: examples by hand, then properties over random prices,
 * targets, requests and usage; TURNPIKE_PROVE_RUNS sets how many.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { PriceLines, Prices, Target } from '../catalog/model.ts';
import { FREE } from '../catalog/prices.ts';
import { type PicoUsd, picoUsd, roundUpToNano } from '../core/money.ts';
import { atRate, LIST_RATE, markupRate, NO_CHARGE, PERCENT_MAX, type Rate, rate } from '../core/rates/rate.ts';
import { feeOf, SEARCH_ONLY, type ServerTool } from '../core/server-tools.ts';
import { unitLineOf, unitPrices } from '../core/units/units.ts';
import { NO_USAGE, type Usage } from '../core/usage.ts';
import { amountAt, type Bound, type BoundRequest, boundOf, promptBound } from './bound.ts';
import { costOf } from './cost.ts';

const RUNS = Number(process.env['TURNPIKE_PROVE_RUNS'] ?? 5000);

const plain: PriceLines = {
  input: picoUsd(3n),
  output: picoUsd(15n),
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
const WINDOW = 200_000;
const target: Target = {
  provider: 'p',
  upstreamModel: 'claude-x',
  dialects: ['anthropic-messages'],
  contextWindow: WINDOW,
  outputCap: 8000,
  prices: { ...plain, units: [], tiers: [] },
  priceVersion: null,
};
const request: BoundRequest = {
  outputCap: 100,
  choices: 1,
  hasTools: false,
  namedTools: 0,
  hasFormat: false,
  promptUnbounded: false,
  serverToolUses: 0,
  searchField: null,
  compacts: false,
  media: { images: 0, audioTokens: 0, bytes: 0 },
  bodyBytes: 1000,
  values: 0,
  growth: 0,
  predictedTokens: 0,
};
const priced = (lines: Partial<Prices>): Target => ({
  ...target,
  prices: { ...plain, units: [], tiers: [], ...lines },
});

describe('the bound of a call', () => {
  const searches = { promptUnbounded: true, serverToolUses: 4 } as const;
  const rows: [behaviour: string, request: Partial<BoundRequest>, target: Target, fixed: bigint, perToken: bigint][] = [
    ['is a token for each byte of the body, and what providers add', {}, target, 1064n * 3n, 15n],
    ['includes what tools add', { hasTools: true }, target, 2024n * 3n, 15n],
    ['includes the same for an answer format', { hasFormat: true }, target, 2024n * 3n, 15n],
    ['includes what normalising adds to the text', { growth: 30 }, target, 1094n * 3n, 15n],
    ['includes the marks around values in definitions', { hasTools: true, values: 50 }, target, 2124n * 3n, 15n],
    ['includes definitions that the provider writes', { hasTools: true, namedTools: 3 }, target, 8168n * 3n, 15n],
    ['includes no such marks in a conversation', { values: 50 }, target, 1064n * 3n, 15n],
    [
      'includes predicted tokens that are rejected, for each answer',
      { predictedTokens: 20, choices: 2 },
      target,
      1064n * 3n + 40n * 15n,
      30n,
    ],
    ['is limited by the context window', { bodyBytes: 9_000_000 }, target, 200_000n * 3n, 15n],
    ['is limited by that of each request in it', { bodyBytes: 9_000_000, requests: 7 }, target, 1_400_000n * 3n, 15n],
    ['is that of each request in it', { promptUnbounded: true, requests: 7 }, target, 1_400_000n * 3n, 15n],
    [
      'is the context window if the body does not bound the prompt',
      { promptUnbounded: true },
      target,
      200_000n * 3n,
      15n,
    ],
    [
      'counts images as tokens, not by their bytes',
      { media: { images: 2, audioTokens: 0, bytes: 900 } },
      target,
      10_164n * 3n,
      15n,
    ],
    ['counts audio', { media: { images: 0, audioTokens: 70, bytes: 900 } }, target, 234n * 3n, 15n],
    ['counts every answer', { choices: 5 }, target, 1064n * 3n, 75n],
    [
      'uses the most expensive input price',
      {},
      priced({ cacheWrite: picoUsd(4n), cacheWrite1h: picoUsd(6n) }),
      1064n * 6n,
      15n,
    ],
    ['treats audio as input', {}, priced({ inputAudio: picoUsd(50n) }), 1064n * 50n, 15n],
    [
      'uses the most expensive output price',
      {},
      priced({ reasoning: picoUsd(20n), outputAudio: picoUsd(90n) }),
      1064n * 3n,
      90n,
    ],
    [
      'includes what is charged by the piece, the most that may be made',
      { units: { name: 'image/1024x1024/high', most: 3 } },
      priced({
        units: unitPrices([
          ['image', picoUsd(7n)],
          ['image/1024x1024/high', picoUsd(5n)],
        ]),
      }),
      1064n * 3n + 15n,
      15n,
    ],
    [
      'assumes the dearest of the classes that the answer may have',
      { units: { name: 'image/1024x1024/auto', most: 3 } },
      priced({
        units: unitPrices([
          ['image/1024x1024/high', picoUsd(50n)],
          ['image/1024x1024/low', picoUsd(5n)],
          ['image/2048x2048/high', picoUsd(900n)],
        ]),
      }),
      1064n * 3n + 150n,
      15n,
    ],
    ['includes the fee per call', {}, priced({ request: picoUsd(7n) }), 1064n * 3n + 7n, 15n],
    ['includes no searches without tools', {}, priced({ webSearch: picoUsd(7n) }), 1064n * 3n, 15n],
    ['counts the prompt again after each use of a tool', searches, priced({ webSearch: picoUsd(7n) }), 3_000_028n, 15n],
    [
      'assumes the dearest tool at every use',
      { ...searches, serverTools: ['web_search', 'code_interpreter', 'mcp'] },
      priced({ webSearch: picoUsd(7n), fileSearch: picoUsd(1000n), codeInterpreter: picoUsd(9n) }),
      3_000_036n,
      15n,
    ],
    [
      'includes no fee for tools that cost only tokens',
      { ...searches, serverTools: ['mcp'] },
      priced({ webSearch: picoUsd(7n), fileSearch: picoUsd(1000n) }),
      3_000_000n,
      15n,
    ],
    ['counts input and output twice for a summary', { promptUnbounded: true, compacts: true }, target, 1_200_000n, 30n],
    [
      'assumes a common size for an unknown window',
      { promptUnbounded: true },
      { ...target, contextWindow: null },
      600_000n,
      15n,
    ],
    [
      'is the length of the body if the window is unknown',
      { bodyBytes: 900_000 },
      { ...target, contextWindow: null },
      900_064n * 3n,
      15n,
    ],
    [
      'is at least the length of the body if the window is unknown',
      { bodyBytes: 900_000, promptUnbounded: true },
      { ...target, contextWindow: null },
      900_064n * 3n,
      15n,
    ],
  ];
  for (const [behaviour, wanted, at, fixed, perOutputToken] of rows) {
    test(behaviour, () => {
      const bound = limitedBoundOf({ ...request, ...wanted }, [at], 'prepaid');
      assert.deepEqual(bound, { fixed, perOutputToken, outputCap: 100, mayLower: false });
    });
  }

  test('considers the tiers that the prompt may reach, and all below', () => {
    const tier = (abovePromptTokens: number, input: bigint) => ({ ...plain, input: picoUsd(input), abovePromptTokens });
    const tiers = priced({ tiers: [tier(500, 9n), tier(1000, 2n), tier(1064, 99n)] });
    assert.equal(limitedBoundOf(request, [tiers], 'prepaid')?.fixed, 1064n * 9n);
    assert.equal(limitedBoundOf({ ...request, bodyBytes: 1001 }, [tiers], 'prepaid')?.fixed, 1065n * 99n);
  });

  test('does not trust a window that the price list exceeds', () => {
    const tiers = [{ ...plain, input: picoUsd(6n), abovePromptTokens: WINDOW }];
    assert.equal(
      limitedBoundOf({ ...request, promptUnbounded: true }, [priced({ tiers })], 'prepaid')?.fixed,
      6_000_000n,
    );
  });

  test('uses the most expensive target for each part, wherever the call goes', () => {
    const cheapInput = priced({ input: picoUsd(1n), output: picoUsd(90n) });
    const small = { ...target, outputCap: 10, contextWindow: 500 };
    const bound = limitedBoundOf(
      { ...request, outputCap: null },
      [small, cheapInput, { ...target, prices: null }],
      'prepaid',
    );
    const outputCap = 8000;
    assert.deepEqual(bound, { fixed: 1500n, perOutputToken: 90n, outputCap, mayLower: true });
  });

  test('caps the output by the caller, the model or the window', () => {
    const cap = (outputCap: number | null, at: Partial<Target>) =>
      limitedBoundOf({ ...request, outputCap }, [{ ...target, ...at }], 'prepaid')?.outputCap;
    assert.equal(cap(0, {}), 0);
    assert.equal(cap(null, {}), 8000);
    assert.equal(cap(9000, {}), 9000);
    assert.equal(cap(2 ** 31, {}), WINDOW);
    assert.equal(cap(null, { outputCap: null }), 8192);
    assert.equal(cap(null, { outputCap: null, contextWindow: null }), 8192);
    assert.equal(cap(null, { outputCap: null, contextWindow: 4000 }), 1000);
    assert.equal(cap(300_000, { contextWindow: null }), 300_000);
  });

  test('is null without a price', () => {
    assert.equal(limitedBoundOf(request, [{ ...target, prices: null }], 'prepaid'), null);
    assert.equal(
      limitedBoundOf({ ...request, serverToolUses: 'unbounded' }, [{ ...target, prices: null }], 'prepaid'),
      null,
    );
    assert.equal(limitedBoundOf(request, [], 'prepaid'), null);
  });

  test('refuses unlimited tools if a balance pays', () => {
    const unlimited: BoundRequest = { ...request, promptUnbounded: true, serverToolUses: 'unbounded' };
    const unpriced: BoundRequest = { ...request, serverToolUses: 1, serverTools: ['image_generation'] };
    assert.deepEqual(boundOf(unpriced, [target], 'prepaid'), { unlimitedField: 'tools' });
    assert.deepEqual(boundOf(unlimited, [target], 'prepaid'), { unlimitedField: 'tools' });
    assert.equal(limitedBoundOf(unlimited, [target], 'postpaid')?.fixed, 26n * 200_000n * 3n);
    const limited: BoundRequest = { ...unlimited, serverToolUses: 1, serverTools: ['mcp'], limitsToolsTogether: true };
    const careless: Target = { ...target, ignoresToolLimit: true };
    assert.equal(limitedBoundOf(limited, [target], 'prepaid')?.fixed, 2n * 200_000n * 3n);
    assert.deepEqual(boundOf(limited, [target, careless], 'prepaid'), { unlimitedField: 'tools' });
    assert.equal(limitedBoundOf(limited, [careless], 'postpaid')?.fixed, 26n * 200_000n * 3n);
  });

  test('includes the window and the fee per call for a model that searches with every call', () => {
    const searching: Target = { ...priced({ request: picoUsd(7n) }), searchesAlways: true };
    assert.equal(limitedBoundOf(request, [searching], 'prepaid')?.fixed, 200_000n * 3n + 7n);
    assert.equal(
      limitedBoundOf({ ...request, searchField: 'web_search_options' }, [searching], 'prepaid')?.fixed,
      600_007n,
    );
  });

  test('refuses a search without a price if a balance pays, unless the model is free', () => {
    const asked: BoundRequest = { ...request, promptUnbounded: true, searchField: 'enable_search' };
    assert.deepEqual(boundOf(asked, [target], 'prepaid'), { unlimitedField: 'enable_search' });
    assert.equal(limitedBoundOf(asked, [target], 'off')?.fixed, 26n * 200_000n * 3n);
    assert.equal(limitedBoundOf(asked, [{ ...target, prices: FREE }], 'prepaid')?.fixed, 0n);
  });

  test('of an image depends on the model, and is the largest for an unknown model', () => {
    const images = { ...request, media: { images: 1, audioTokens: 0, bytes: 1000 } };
    const of = (name: string) => promptBound(images, name, 1_000_000) - 64;
    assert.equal(of('gpt-4o-mini-2024-07-18'), 48_169);
    assert.equal(of('my-deployment'), 48_169);
    assert.equal(of('eu.anthropic.claude-opus-4-7'), 5000);
    assert.equal(of('gemini-2.5-pro'), 8000);
    assert.equal(of('gpt-5.4'), 16_384);
  });
});

const price = fc.bigInt({ min: 0n, max: 600_000_000n }).map(picoUsd);
const line = fc.option(price, { nil: null });
const anyLines = fc.record<PriceLines>({
  input: price,
  output: price,
  cacheRead: line,
  cacheWrite: line,
  cacheWrite1h: line,
  inputAudio: line,
  outputAudio: line,
  cacheReadAudio: line,
  inputImage: line,
  outputImage: line,
  reasoning: line,
  image: fc.constant(null),
  request: line,
  webSearch: line,
  fileSearch: line,
  codeInterpreter: line,
});
/** Classes that a request may leave open, and prices of some of them. */
const CLASSES = ['image', 'image/1024x1024', 'image/1024x1024/high', 'image/512x512', 'image/512x512/low', 'character'];
const anyUnits = fc
  .tuple(fc.subarray(CLASSES), fc.array(price, { minLength: CLASSES.length, maxLength: CLASSES.length }))
  .map(([names, prices]) => unitPrices(names.map((name, index) => [name, prices[index] as PicoUsd])));
const anyPrices = fc
  .tuple(anyLines, fc.array(fc.tuple(fc.nat(400_000), anyLines), { maxLength: 3 }), anyUnits)
  .map(([base, above, units]): Prices => {
    const tiers = above.map(([abovePromptTokens, lines]) => ({ ...lines, abovePromptTokens }));
    return { ...base, units, tiers: tiers.toSorted((a, b) => a.abovePromptTokens - b.abovePromptTokens) };
  });
const anyTarget = fc
  .record({
    upstreamModel: fc.constantFrom('gpt-4o-mini', 'claude-x', 'gemini-y', 'gpt-5', 'z'),
    contextWindow: fc.option(fc.integer({ min: 1, max: 1_000_000 }), { nil: null }),
    outputCap: fc.option(fc.integer({ min: 1, max: 128_000 }), { nil: null }),
    prices: anyPrices,
  })
  .map((facts): Target => ({ ...target, ...facts }));
const anyRequest = fc
  .record({
    outputCap: fc.option(fc.nat(2 ** 31), { nil: null }),
    choices: fc.integer({ min: 1, max: 128 }),
    hasTools: fc.boolean(),
    namedTools: fc.nat(4),
    hasFormat: fc.boolean(),
    text: fc.nat(500_000),
    uses: fc.oneof({ arbitrary: fc.constant(0), weight: 3 }, fc.integer({ min: 1, max: 20 })),
    serverTools: fc.subarray<ServerTool>(['web_search', 'file_search', 'code_interpreter', 'mcp'], { minLength: 1 }),
    byAddress: fc.boolean(),
    compacts: fc.boolean(),
    media: fc.record({ images: fc.nat(20), audioTokens: fc.nat(10_000), bytes: fc.nat(1_000_000) }),
    values: fc.nat(20_000),
    growth: fc.oneof(fc.constant(0), fc.nat(100_000)),
    predictedTokens: fc.oneof({ arbitrary: fc.constant(0), weight: 3 }, fc.nat(50_000)),
    unit: fc.option(fc.constantFrom(...CLASSES, 'image/auto/auto', 'image/1024x1024/auto', 'image/auto/high')),
    mostUnits: fc.nat(100_000),
  })
  .map(
    ({ text, uses, byAddress, unit, mostUnits, ...facts }): BoundRequest => ({
      ...facts,
      ...(unit !== null && { units: { name: unit, most: mostUnits } }),
      serverToolUses: uses,
      searchField: null,
      promptUnbounded: byAddress || uses > 0 || facts.compacts,
      bodyBytes: text + facts.media.bytes,
    }),
  );

/** Splits a whole into parts, by random shares of the rest. */
function share(whole: number, shares: readonly number[]): number[] {
  let left = whole;
  const parts = shares.map((part) => {
    const taken = Math.floor(left * part);
    left -= taken;
    return taken;
  });
  return [...parts, left];
}

const fraction = fc.oneof(fc.constantFrom(0, 1), fc.double({ min: 0, max: 1, noNaN: true }));
const anyShares = fc.record({
  prompt: fraction,
  output: fraction,
  searches: fraction,
  tool: fc.nat(3),
  units: fraction,
  class: fc.constantFrom(...CLASSES, null),
  parts: fc.array(fraction, { minLength: 7, maxLength: 7 }),
  target: fc.nat(2),
});

/** None, the list price, small markups, and the highest. */
const anyRate = fc.oneof(
  fc.constantFrom(NO_CHARGE, ...[1, 999_999, 1_000_001, 10_000_000].map(rate), LIST_RATE, markupRate(PERCENT_MAX)),
  fc.integer({ min: 0, max: 101_000_000 }).map(rate),
);

type Shares = typeof anyShares extends fc.Arbitrary<infer Value> ? Value : never;

/** The most that an honest provider may report, or less. */
function honestUsage(wanted: BoundRequest, at: Target, cap: number, shares: Shares): Usage {
  const uses = Number(wanted.serverToolUses);
  const times = wanted.compacts ? 2 : 1;
  const prompt = promptBound(wanted, at.upstreamModel, at.contextWindow) * (uses + 1) * times;
  const [plainText, cacheRead, cacheWrite, cacheWrite1h, audio] = share(
    Math.floor(prompt * shares.prompt),
    shares.parts.slice(0, 4),
  ) as [number, number, number, number, number];
  const [outputAudioTokens, outputTokens] = share(
    Math.floor(wanted.choices * (times * cap + wanted.predictedTokens) * shares.output),
    shares.parts.slice(4, 5),
  ) as [number, number];
  return {
    ...NO_USAGE,
    inputTokens: plainText,
    cacheReadTokens: cacheRead,
    cacheWriteTokens: cacheWrite,
    cacheWrite1hTokens: cacheWrite1h,
    inputAudioTokens: audio,
    outputTokens,
    outputAudioTokens,
    cachedAudioTokens: Math.floor(cacheRead * (shares.parts[6] as number)),
    inputImageTokens: mayRead(wanted, at) ? Math.floor(plainText * (shares.parts[5] as number)) : 0,
    outputImageTokens: Math.floor(outputTokens * (shares.parts[6] as number)),
    reasoningTokens: Math.floor(outputTokens * (shares.parts[5] as number)),
    ...toolUses(wanted, Math.floor(uses * shares.searches), shares.tool),
    ...unitUse(wanted, at, shares),
  };
}

/** Whether there may be images in the prompt: only then does an honest provider count some. */
function mayRead({ media, promptUnbounded, serverToolUses }: BoundRequest, { searchesAlways }: Target): boolean {
  return media.images > 0 || promptUnbounded || serverToolUses !== 0 || searchesAlways === true;
}

/** Of what was asked for, or of a class that the answer may have. */
function unitUse({ units }: BoundRequest, { prices }: Target, shares: Shares): Partial<Usage> {
  if (units === undefined || prices === null) return {};
  const asked = units.name.split('/');
  const isOne = asked.includes('auto') && shares.class?.split('/').every((part, index) => matches(part, asked[index]));
  const name = isOne === true ? (shares.class as string) : units.name;
  return { units: Math.floor(units.most * shares.units), unitLine: unitLineOf(prices.units, name) };
}

function matches(part: string, asked: string | undefined): boolean {
  return asked === part || asked === 'auto';
}

/** All uses by one of the tools. */
function toolUses({ serverTools = SEARCH_ONLY }: BoundRequest, uses: number, at: number): Partial<Usage> {
  const fee = feeOf(serverTools[at % serverTools.length] as ServerTool);
  return {
    webSearches: fee === 'webSearch' ? uses : 0,
    fileSearches: fee === 'fileSearch' ? uses : 0,
    codeContainers: fee === 'codeInterpreter' ? uses : 0,
  };
}

test('a model whose images have a price is held for by its own cap, which nobody lowers: an image may exceed a caller’s', () => {
  const draws = { ...priced({ outputImage: picoUsd(30_000_000n) }), outputCap: 32_768 };
  for (const outputCap of [null, 10]) {
    const bound = boundOf({ ...request, outputCap }, [draws], 'prepaid');
    assert(bound !== null && bound.unlimitedField === undefined);
    assert.deepEqual([bound.outputCap, bound.mayLower, bound.perOutputToken], [32_768, false, 30_000_000n]);
  }
});

test('the price of images that are read is held for where the prompt may have some, and nowhere else', () => {
  const target = priced({ input: picoUsd(1n), inputImage: picoUsd(1_000n) });
  const perToken = (changes: Partial<BoundRequest>, at: Target = target) => {
    const bound = boundOf({ ...request, outputCap: 0, ...changes }, [at], 'prepaid') as Bound;
    const plain = boundOf({ ...request, outputCap: 0, ...changes }, [{ ...at, prices: noImages }], 'prepaid') as Bound;
    return bound.fixed / plain.fixed;
  };
  const noImages = { ...(target.prices as Prices), inputImage: null };
  assert.equal(perToken({}), 1n);
  assert.equal(perToken({}, { ...target, searchesAlways: true }), 1_000n);
  for (const changes of [
    { media: { images: 1, audioTokens: 0, bytes: 0 } },
    { media: { images: 0, audioTokens: 0, bytes: 10 } },
    { promptUnbounded: true },
    { serverToolUses: 1 },
  ])
    assert.equal(perToken(changes), 1_000n, JSON.stringify(changes));
});

test('no honest usage costs more than was held, under the cap asked for or a lower one', () => {
  const targets = fc.array(anyTarget, { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(anyRequest, targets, anyShares, fraction, (wanted, all, shares, lowering) => {
      const bound = limitedBoundOf(wanted, all, 'prepaid') as Bound;
      const served = all[shares.target % all.length] as Target;
      const cap = bound.mayLower ? Math.floor(bound.outputCap * lowering) : bound.outputCap;
      const cost = costOf(honestUsage(wanted, served, cap, shares), served.prices as Prices);
      assert.ok(roundUpToNano(cost) <= amountAt(bound, cap), `${cost} is more than ${amountAt(bound, cap)}`);
    }),
    { numRuns: RUNS },
  );
});

test('the same at the rates that the account is charged, each target at its own', () => {
  const targets = fc.array(anyTarget, { minLength: 1, maxLength: 3 });
  const rates = fc.array(anyRate, { minLength: 3, maxLength: 3 });
  fc.assert(
    fc.property(anyRequest, targets, rates, anyShares, fraction, (wanted, all, at, shares, lowering) => {
      const bound = limitedBoundOf(wanted, all, 'prepaid', (index) => at[index] as Rate) as Bound;
      const served = shares.target % all.length;
      const target = all[served] as Target;
      const cap = bound.mayLower ? Math.floor(bound.outputCap * lowering) : bound.outputCap;
      const cost = roundUpToNano(costOf(honestUsage(wanted, target, cap, shares), target.prices as Prices));
      const charge = atRate(cost, at[served] as Rate);
      assert.ok(charge <= amountAt(bound, cap), `${charge} is more than ${amountAt(bound, cap)}`);
    }),
    { numRuns: RUNS },
  );
});

test('at the rate 0 nothing is held, and a tool without a limit is no obstacle', () => {
  fc.assert(
    fc.property(anyRequest, anyTarget, (wanted, at) => {
      const bound = limitedBoundOf({ ...wanted, serverToolUses: 'unbounded' }, [at], 'prepaid', () => NO_CHARGE);
      assert.ok(bound !== null && amountAt(bound, bound.outputCap) === 0n);
    }),
    { numRuns: 100 },
  );
});

test('a higher rate never holds less, and a free model holds nothing at any', () => {
  fc.assert(
    fc.property(anyRequest, anyTarget, anyRate, anyRate, (wanted, at, one, other) => {
      const [low, high] = one < other ? [one, other] : [other, one];
      const held = (target: Target, rate: Rate) => {
        const bound = limitedBoundOf(wanted, [target], 'prepaid', () => rate) as Bound;
        return amountAt(bound, bound.outputCap);
      };
      assert.ok(held(at, low) <= held(at, high));
      assert.equal(held({ ...at, prices: FREE }, high), 0n);
    }),
    { numRuns: RUNS },
  );
});

test('a lower cap never holds more, and no cap holds less than the fees', () => {
  fc.assert(
    fc.property(anyRequest, anyTarget, fc.nat(), fc.nat(), (wanted, at, one, other) => {
      const bound = limitedBoundOf(wanted, [at], 'prepaid') as Bound;
      const [low, high] = one < other ? [one, other] : [other, one];
      assert.ok(amountAt(bound, low) <= amountAt(bound, high));
      assert.ok(amountAt(bound, 0) >= 0n);
    }),
    { numRuns: RUNS },
  );
});

test('another target, a longer body or another answer never lowers what is held', () => {
  fc.assert(
    fc.property(anyRequest, anyTarget, anyTarget, fc.nat(1000), (wanted, at, another, more) => {
      const held = (request: BoundRequest, targets: readonly Target[]) => {
        const bound = limitedBoundOf(request, targets, 'prepaid') as Bound;
        return amountAt(bound, bound.outputCap);
      };
      const before = held(wanted, [at]);
      assert.ok(held(wanted, [at, another]) >= before);
      assert.ok(held({ ...wanted, bodyBytes: wanted.bodyBytes + more }, [at]) >= before);
      assert.ok(held({ ...wanted, choices: wanted.choices + 1 }, [at]) >= before);
    }),
    { numRuns: RUNS },
  );
});

/** For requests whose tool uses are limited, or that are not paid from a balance. */
function limitedBoundOf(...asked: Parameters<typeof boundOf>): Bound | null {
  const bound = boundOf(...asked);
  if (bound !== null && bound.unlimitedField !== undefined) assert.fail(bound.unlimitedField);
  return bound;
}
