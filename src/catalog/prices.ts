/** The catalogue's prices, from the tables' numbers and from text in the configuration. */

import { formatPrice, type PicoUsd, parsePrice, picoUsd } from '../core/money.ts';
import type { ToolFee } from '../core/server-tools.ts';
import type { UnitKind } from '../core/units/units.ts';
import { unitPrices } from '../core/units/units.ts';
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
  cacheReadAudio: null,
  inputImage: null,
  outputImage: null,
  reasoning: null,
  image: null,
  request: null,
  webSearch: null,
  fileSearch: null,
  codeInterpreter: null,
  units: [],
  tiers: [],
};

/** Whether nothing costs anything, whatever is asked for. */
export function isFree({ tiers, units, ...lines }: Prices): boolean {
  const all = [lines, ...tiers].flatMap((list) => Object.values(list));
  return units.every(({ price }) => price === 0n) && all.every((price) => typeof price !== 'bigint' || price === 0n);
}

/** Whether tokens cost something. */
export function hasTokenPrices(prices: Prices): boolean {
  const { input, output, inputAudio, outputAudio, inputImage, outputImage, request } = prices;
  return [input, output, inputAudio, outputAudio, inputImage, outputImage, request].some(
    (price) => price !== null && price > 0n,
  );
}

/** Whether the list says what an operation costs that may be charged by these kinds of pieces, besides tokens. */
export function isPricedFor(prices: Prices, unitKinds: readonly UnitKind[]): boolean {
  if (prices === FREE || hasTokenPrices(prices)) return true;
  // A list of pieces alone says nothing about tokens, and one of neither nothing about pieces.
  if (unitKinds.length === 0) return prices.units.length === 0;
  return prices.units.some(({ unit }) => unitKinds.some((kind) => kind === unit.split('/', 1)[0]));
}

/** The same list where it is not known what tools cost that the provider runs. */
export function withoutToolFees(prices: Prices): Prices {
  return { ...prices, ...NO_TOOL_FEES, tiers: prices.tiers.map((tier) => ({ ...tier, ...NO_TOOL_FEES })) };
}

const NO_TOOL_FEES = { webSearch: null, fileSearch: null, codeInterpreter: null } satisfies Record<ToolFee, null>;

/** `surchargePercent`: what tokens cost more where they are served than in the tables. */
export function readKnownPrices(known: KnownPrices, surchargePercent = 0): Prices {
  return {
    ...readLines(known, surchargePercent),
    units: unitPrices(Object.entries(known.units ?? {}).map(([unit, price]) => [unit, picoUsd(BigInt(price))])),
    tiers: (known.tiers ?? []).map((tier) => ({
      ...readLines(tier, surchargePercent),
      abovePromptTokens: tier.abovePromptTokens,
    })),
  };
}

/** Prices of tokens where they cost more than in the tables. */
export function raisedPrices({ tiers, units, ...lines }: Prices, percent: number): Prices {
  if (percent === 0) return { ...lines, tiers, units };
  return {
    ...raisedLines(lines, percent),
    units,
    tiers: tiers.map((tier) => ({ ...raisedLines(tier, percent), abovePromptTokens: tier.abovePromptTokens })),
  };
}

function raisedLines(lines: PriceLines, percent: number): PriceLines {
  const { input, output, cacheRead, cacheWrite, cacheWrite1h, inputAudio, outputAudio, cacheReadAudio } = lines;
  const { inputImage, outputImage, reasoning } = lines;
  const up = (price: PicoUsd) => picoUsd(raised(price, BigInt(percent)));
  const upIfAny = (price: PicoUsd | null) => (price === null ? null : up(price));
  return {
    ...lines,
    input: up(input),
    output: up(output),
    cacheRead: upIfAny(cacheRead),
    cacheWrite: upIfAny(cacheWrite),
    cacheWrite1h: upIfAny(cacheWrite1h),
    inputAudio: upIfAny(inputAudio),
    outputAudio: upIfAny(outputAudio),
    cacheReadAudio: upIfAny(cacheReadAudio),
    inputImage: upIfAny(inputImage),
    outputImage: upIfAny(outputImage),
    reasoning: upIfAny(reasoning),
  };
}

function readLines(known: KnownLines, percent: number): PriceLines {
  const ofTokens = (price: number) => picoUsd(raised(BigInt(price), BigInt(percent)));
  const ofTokensIfAny = (price: number | undefined) => (price === undefined ? null : ofTokens(price));
  return {
    input: ofTokens(known.input),
    output: ofTokens(known.output),
    cacheRead: ofTokensIfAny(known.cacheRead),
    cacheWrite: ofTokensIfAny(known.cacheWrite),
    cacheWrite1h: ofTokensIfAny(known.cacheWrite1h),
    inputAudio: ofTokensIfAny(known.inputAudio),
    outputAudio: ofTokensIfAny(known.outputAudio),
    cacheReadAudio: ofTokensIfAny(known.cacheReadAudio),
    inputImage: ofTokensIfAny(known.inputImage),
    outputImage: ofTokensIfAny(known.outputImage),
    reasoning: ofTokensIfAny(known.reasoning),
    image: null,
    request: readLine(known.request),
    webSearch: readLine(known.webSearch),
    fileSearch: readLine(known.fileSearch),
    codeInterpreter: readLine(known.codeInterpreter),
  };
}

/** Rounded up. */
function raised(price: bigint, percent: bigint): bigint {
  return (price * (100n + percent) + 99n) / 100n;
}

function readLine(price: number | undefined): PriceLines['cacheRead'] {
  return price === undefined ? null : picoUsd(BigInt(price));
}
