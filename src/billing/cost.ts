/** What usage costs at given prices: the one formula. Pure; sums in pico-USD and rounds nothing. */
import type { PriceLines, Prices } from '../catalog/model.ts';
import { assert } from '../core/assert.ts';
import { type PicoUsd, picoUsd } from '../core/money.ts';
import { promptTokens, type Usage } from '../core/usage.ts';

/**
 * The cost of a call in pico-USD. Above a tier's threshold (strictly greater) the whole call is
 * billed at the tier's lines. Throws for counts no meter may let through (negative, fractional).
 *
 * A missing line is billed as the nearest one that is set: an hour's cache write as a cache write, cache and audio as plain
 * input or output. Reasoning and images are part of the output, images are part of the input, and audio may be part of what was read from the
 * cache: each is priced as such, unless the model has a separate price for it; then it is subtracted from what it is part of.
 */
export function costOf(usage: Usage, prices: Prices): PicoUsd {
  const lines = linesFor(promptTokens(usage), prices);
  let cost = lines.request ?? 0n;
  cost += inputCost(usage, lines);
  if (usage.cacheReadTokens !== 0) cost += cacheReadCost(usage, lines);
  if (usage.cacheWriteTokens !== 0) cost += times(usage.cacheWriteTokens, lines.cacheWrite ?? lines.input);
  if (usage.cacheWrite1hTokens !== 0)
    cost += times(usage.cacheWrite1hTokens, lines.cacheWrite1h ?? lines.cacheWrite ?? lines.input);
  if (usage.inputAudioTokens !== 0) cost += times(usage.inputAudioTokens, lines.inputAudio ?? lines.input);
  cost += outputCost(usage, lines);
  if (usage.outputAudioTokens !== 0) cost += times(usage.outputAudioTokens, lines.outputAudio ?? lines.output);
  if (usage.webSearches !== 0 && lines.webSearch !== null) cost += times(usage.webSearches, lines.webSearch);
  if (usage.fileSearches !== 0 && lines.fileSearch !== null) cost += times(usage.fileSearches, lines.fileSearch);
  if (usage.codeContainers !== 0 && lines.codeInterpreter !== null)
    cost += times(usage.codeContainers, lines.codeInterpreter);
  if (usage.units !== 0 && usage.unitLine !== 0) cost += times(usage.units, unitPriceOf(usage, prices));
  return picoUsd(cost);
}

/** What one of its units costs. Throws if the price list does not have the line: then it is not the call's. */
export function unitPriceOf({ unitLine }: Pick<Usage, 'unitLine'>, { units }: Prices): PicoUsd {
  const priced = units[unitLine - 1];
  assert(priced !== undefined, 'invalid place of a unit in usage');
  return priced.price;
}

/** The lines a call with this many prompt tokens is billed at. */
export function linesFor(promptTokenCount: number, prices: Prices): PriceLines {
  let lines: PriceLines = prices;
  for (const tier of prices.tiers) {
    if (promptTokenCount <= tier.abovePromptTokens) break;
    lines = tier;
  }
  return lines;
}

function inputCost(usage: Usage, lines: PriceLines): bigint {
  const image = inputImages(usage, lines);
  const cost = times(usage.inputTokens - image, lines.input);
  return image === 0 ? cost : cost + times(image, lines.inputImage ?? lines.input);
}

function outputCost(usage: Usage, lines: PriceLines): bigint {
  const { reasoning, image, plain } = outputParts(usage, lines);
  let cost = times(plain, lines.output);
  if (reasoning !== 0) cost += times(reasoning, lines.reasoning ?? lines.output);
  if (image !== 0) cost += times(image, lines.outputImage ?? lines.output);
  return cost;
}

function cacheReadCost(usage: Usage, lines: PriceLines): bigint {
  const audio = cachedAudio(usage, lines);
  const price = lines.cacheRead ?? lines.input;
  return times(usage.cacheReadTokens - audio, price) + times(audio, lines.cacheReadAudio ?? price);
}

/** The tokens of `inputTokens` that are billed as images. */
export function inputImages(usage: Usage, lines: PriceLines): number {
  return lines.inputImage === null ? 0 : Math.min(usage.inputImageTokens, usage.inputTokens);
}

/** The tokens of `cacheReadTokens` that are billed as audio. */
export function cachedAudio(usage: Usage, lines: PriceLines): number {
  return lines.cacheReadAudio === null ? 0 : Math.min(usage.cachedAudioTokens, usage.cacheReadTokens);
}

/**
 * The tokens of `outputTokens` by what they are billed as. If a vendor counts reasoning in addition to its output, its meter corrects that.
 * If there is still more than the output, nothing is billed twice.
 */
export function outputParts(
  usage: Usage,
  lines: PriceLines,
): { readonly reasoning: number; readonly image: number; readonly plain: number } {
  const reasoning = lines.reasoning === null ? 0 : Math.min(usage.reasoningTokens, usage.outputTokens);
  const rest = usage.outputTokens - reasoning;
  const image = lines.outputImage === null ? 0 : Math.min(usage.outputImageTokens, rest);
  return { reasoning, image, plain: rest - image };
}

function times(count: number, price: bigint): bigint {
  assert(count >= 0 && Number.isSafeInteger(count), 'invalid count in usage');
  return BigInt(count) * price;
}
