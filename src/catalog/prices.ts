/** Prices as the catalogue holds them, from the tables' numbers and from the configuration's words. */
import { picoUsd } from '../core/money.ts';
import type { PriceLines, Prices } from './model.ts';
import type { KnownLines, KnownPrices } from './models.ts';

const ZERO = picoUsd(0n);

/** What is known to cost nothing, which is not the same as a price nobody knows (null). */
export const FREE: Prices = {
  input: ZERO,
  output: ZERO,
  cacheRead: null,
  cacheWrite: null,
  cacheWrite1h: null,
  inputAudio: null,
  outputAudio: null,
  reasoning: null,
  image: null,
  request: null,
  webSearch: null,
  tiers: [],
};

export function readKnownPrices(known: KnownPrices): Prices {
  const lines = readLines(known);
  return {
    ...lines,
    tiers: (known.tiers ?? []).map((tier) => ({ ...readLines(tier), abovePromptTokens: tier.abovePromptTokens })),
  };
}

function readLines(known: KnownLines): PriceLines {
  return {
    input: picoUsd(BigInt(known.input)),
    output: picoUsd(BigInt(known.output)),
    cacheRead: readLine(known.cacheRead),
    cacheWrite: readLine(known.cacheWrite),
    cacheWrite1h: readLine(known.cacheWrite1h),
    inputAudio: readLine(known.inputAudio),
    outputAudio: readLine(known.outputAudio),
    reasoning: readLine(known.reasoning),
    image: null,
    request: null,
    webSearch: readLine(known.webSearch),
  };
}

function readLine(price: number | undefined): PriceLines['cacheRead'] {
  return price === undefined ? null : picoUsd(BigInt(price));
}
