/**
 * What a call consumed, as disjoint counters: no token stands in two of the priced fields.
 * Vendors disagree on what contains what; a dialect's meter knows its own rules and brings
 * them to this shape, so that pricing has one formula.
 */
export interface Usage {
  /** Prompt tokens neither read from nor written to a cache, audio excluded. */
  readonly inputTokens: number;
  readonly cacheReadTokens: number;
  /** Written to a cache kept for 5 minutes, or for a time the vendor did not say. */
  readonly cacheWriteTokens: number;
  readonly cacheWrite1hTokens: number;
  readonly inputAudioTokens: number;
  /** All output tokens, reasoning included, audio excluded. */
  readonly outputTokens: number;
  readonly outputAudioTokens: number;
  /** The part of `outputTokens` that is reasoning: for display, priced only where a model has a price for it. */
  readonly reasoningTokens: number;
  readonly webSearches: number;
}

export const NO_USAGE: Usage = {
  inputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  cacheWrite1hTokens: 0,
  inputAudioTokens: 0,
  outputTokens: 0,
  outputAudioTokens: 0,
  reasoningTokens: 0,
  webSearches: 0,
};

/** `reported` by the upstream, `estimated` by the gateway, `none` where nothing was consumed. */
export type UsageSource = 'reported' | 'estimated' | 'none';

/** Which parts of a usage the upstream reported: what it left out, or gave as no count, is 0 in the usage. */
export type ReportedParts = 'all' | 'prompt' | 'output' | 'none';

export function partsOf(prompt: boolean, output: boolean): ReportedParts {
  if (prompt) return output ? 'all' : 'prompt';
  return output ? 'output' : 'none';
}

/** All tokens of the prompt, cached or not: what long-context price tiers look at. */
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

/** A count as a vendor reported it, or null when it is no count (negative, fractional, a string, absent). */
export function readCount(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;
}
