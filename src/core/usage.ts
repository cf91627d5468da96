/**
 * What a call consumed, as disjoint counters: no token is counted in two of the priced fields.
 * Vendors disagree on which counter includes which; a dialect's meter knows its vendor's rules and
 * converts to this shape, so that pricing has one formula.
 */
export interface Usage {
  /** Prompt tokens neither read from nor written to a cache, audio excluded. */
  readonly inputTokens: number;
  readonly cacheReadTokens: number;
  /** Written to a cache for 5 minutes, or for a time that the vendor did not report. */
  readonly cacheWriteTokens: number;
  readonly cacheWrite1hTokens: number;
  readonly inputAudioTokens: number;
  /** All output tokens, reasoning included, audio excluded. */
  readonly outputTokens: number;
  readonly outputAudioTokens: number;
  /**
   * The part of `cacheReadTokens` that is audio, and the parts of `inputTokens` and `outputTokens` that are images: priced like reasoning.
   */
  readonly cachedAudioTokens: number;
  readonly inputImageTokens: number;
  readonly outputImageTokens: number;
  /** The part of `outputTokens` that is reasoning: for display, priced only if the model has a price for it. */
  readonly reasoningTokens: number;
  readonly webSearches: number;
  /** Searches of stored files by a tool of the provider. */
  readonly fileSearches: number;
  /** Containers that the provider started to run code. */
  readonly codeContainers: number;
  /** What is charged by the piece, such as images: how many of the unit that `unitLine` names. */
  readonly units: number;
  /** The place of the unit's price among the `units` of the call's price version, from 1; 0 without one. */
  readonly unitLine: number;
}

export const NO_USAGE: Usage = {
  inputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  cacheWrite1hTokens: 0,
  inputAudioTokens: 0,
  outputTokens: 0,
  outputAudioTokens: 0,
  cachedAudioTokens: 0,
  inputImageTokens: 0,
  outputImageTokens: 0,
  reasoningTokens: 0,
  webSearches: 0,
  fileSearches: 0,
  codeContainers: 0,
  units: 0,
  unitLine: 0,
};

/** `reported` by the upstream, `estimated` by the gateway, `none` if nothing was consumed; `cache`: nothing either, since the answer was kept. */
export type UsageSource = 'reported' | 'estimated' | 'none' | 'cache';

/** Which parts of a usage the upstream reported: missing or invalid counts are 0 in the usage. */
export type ReportedParts = 'all' | 'prompt' | 'output' | 'none';

export function partsOf(prompt: boolean, output: boolean): ReportedParts {
  if (prompt) return output ? 'all' : 'prompt';
  return output ? 'output' : 'none';
}

/** All tokens of the prompt, cached or not: it selects the long-context price tier. */
export function promptTokens(usage: Usage): number {
  return (
    usage.inputTokens +
    usage.cacheReadTokens +
    usage.cacheWriteTokens +
    usage.cacheWrite1hTokens +
    usage.inputAudioTokens
  );
}

export function completionTokens(usage: Usage): number {
  return usage.outputTokens + usage.outputAudioTokens;
}

/** No call has more tokens than this; a larger number is an error of the provider. Sums of 64 bits hold four thousand million such calls. */
export const COUNT_MAX = 2 ** 31;

/** A count as a vendor reported it, or null if it is not a valid count (negative, fractional, above `COUNT_MAX`, a string, absent). */
export function readCount(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value <= COUNT_MAX ? value : null;
}
