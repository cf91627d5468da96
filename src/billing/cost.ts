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
 * input or output. Reasoning is part of the output and priced as such, unless the model has a separate price for it; then it
 * is subtracted from the billed output.
 */
export function costOf(usage: Usage, prices: Prices): PicoUsd {
  const lines = linesFor(promptTokens(usage), prices);
  let cost = lines.request ?? 0n;
  cost += times(usage.inputTokens, lines.input);
  if (usage.cacheReadTokens !== 0) cost += times(usage.cacheReadTokens, lines.cacheRead ?? lines.input);
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
  return picoUsd(cost);
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

function outputCost(usage: Usage, lines: PriceLines): bigint {
  if (lines.reasoning === null || usage.reasoningTokens === 0) return times(usage.outputTokens, lines.output);
  // If a vendor counts reasoning in addition to its output, its meter corrects that. If there is still more reasoning than
  // output, nothing is billed twice.
  const reasoning = Math.min(usage.reasoningTokens, usage.outputTokens);
  return times(reasoning, lines.reasoning) + times(usage.outputTokens - reasoning, lines.output);
}

function times(count: number, price: bigint): bigint {
  assert(count >= 0 && Number.isSafeInteger(count), 'invalid count in usage');
  return BigInt(count) * price;
}
