/**
 * Goal: no operation can be charged by a line that billing does not know, or held for without it. Method: the lines of every paid operation, each
 * raised in a price list, against the cost of a usage with one of everything, and the most that a call can cost.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PriceLines, Target } from '../catalog/model.ts';
import { FREE } from '../catalog/prices.ts';
import { picoUsd } from '../core/money.ts';
import { PRICE_LINES, type PriceLine } from '../core/rates/price-lines.ts';
import type { Usage } from '../core/usage.ts';
import { operations } from '../operations/index.ts';
import type { Operation } from '../operations/operation.ts';
import { type Bound, type BoundRequest, boundOf } from './bound.ts';
import { costOf } from './cost.ts';

/** Some of everything that is counted. */
const USAGE: Usage = {
  ...{
    inputTokens: 2,
    inputImageTokens: 1,
    cacheReadTokens: 2,
    cacheWriteTokens: 1,
    cacheWrite1hTokens: 1,
    inputAudioTokens: 1,
  },
  ...{ outputTokens: 3, outputAudioTokens: 1, cachedAudioTokens: 1, outputImageTokens: 1, reasoningTokens: 1 },
  ...{ webSearches: 1, fileSearches: 1, codeContainers: 1, units: 0, unitLine: 0 },
};

/** A call that may use each of the provider's tools once. */
const REQUEST: BoundRequest = {
  ...{ outputCap: 10, choices: 1, hasTools: true, namedTools: 0, hasFormat: false, promptUnbounded: false },
  ...{ serverToolUses: 1, serverTools: ['web_search', 'file_search', 'code_interpreter'], searchField: null },
  ...{ compacts: false, media: { images: 0, audioTokens: 0, bytes: 0 }, bodyBytes: 10, values: 1, growth: 0 },
  predictedTokens: 0,
};

const paid = Object.values<Operation>(operations).filter((operation) => operation.isPaid);

function withLine(line: PriceLine): Target['prices'] {
  return { ...FREE, [line]: picoUsd(1_000_000n) };
}

function costWith(line: PriceLine): bigint {
  return costOf(USAGE, withLine(line) ?? FREE);
}

function boundWith(line: PriceLine): bigint {
  const target = { provider: 'p', upstreamModel: 'm', contextWindow: 1000, outputCap: 10, prices: withLine(line) };
  const bound = boundOf(REQUEST, [target as Target], 'prepaid') as Bound;
  return bound.fixed + bound.perOutputToken;
}

test('the names of lines are those of a price list', () => {
  const { tiers: _tiers, units: _units, ...lines } = FREE;
  assert.deepEqual(Object.keys(lines satisfies PriceLines).toSorted(), [...PRICE_LINES].toSorted());
});

for (const { name, priceLines } of paid)
  test(`every line that ${name} may be charged by raises its cost, and what is held for it`, () => {
    for (const line of priceLines) {
      assert.ok(costWith(line) > 0n, `${line} costs nothing`);
      assert.ok(boundWith(line) > 0n, `${line} is not held for`);
    }
  });

test('every line that billing charges by belongs to an operation', () => {
  const named = new Set(paid.flatMap(({ priceLines }) => priceLines));
  for (const line of PRICE_LINES) assert.equal(named.has(line), costWith(line) > 0n, line);
});
