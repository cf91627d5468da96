/** The catalogue's prices, from the tables' numbers and from text in the configuration. */
import { formatPrice, type PicoUsd, parsePrice, picoUsd } from '../core/money.ts';
import type { PriceLines, Prices } from './model.ts';
import type { KnownLines, KnownPrices } from './models.ts';

const ZERO = picoUsd(0n);
const TOKENS_PER_PRICE = 1_000_000n;

/** USD per million tokens as plain decimal text: `"2.50"`. Throws a `RangeError` that says what is wrong. */
export function parsePricePerMillion(text: string): PicoUsd {
  let pico: PicoUsd;
  try {
    pico = parsePrice(text);
  } catch {
    // parsePrice throws for one reason only; the message here names the unit.
    throw new RangeError('must be a plain decimal of US dollars, like 0.15');
  }
  if (pico < 0n) throw new RangeError('a price cannot be negative');
  // More than 6 decimals would be a fraction of a pico-dollar per token.
  if (pico % TOKENS_PER_PRICE !== 0n) throw new RangeError('has more than 6 decimal places');
  return picoUsd(pico / TOKENS_PER_PRICE);
}

/** The inverse of `parsePricePerMillion`, without trailing zeros. */
export function formatPricePerMillion(price: PicoUsd): string {
  return formatPrice(picoUsd(price * TOKENS_PER_PRICE));
}

/** Known to cost nothing, unlike an unknown price (null). */
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
  fileSearch: null,
  codeInterpreter: null,
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
    request: readLine(known.request),
    webSearch: readLine(known.webSearch),
    fileSearch: readLine(known.fileSearch),
    codeInterpreter: readLine(known.codeInterpreter),
  };
}

function readLine(price: number | undefined): PriceLines['cacheRead'] {
  return price === undefined ? null : picoUsd(BigInt(price));
}
