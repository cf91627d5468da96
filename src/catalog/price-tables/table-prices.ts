/** Prices as a table has them: integers of pico-USD per unit. */

export interface TableLines {
  readonly input: bigint;
  readonly output: bigint;
  readonly cacheRead: bigint | null;
  readonly cacheWrite: bigint | null;
  readonly cacheWrite1h: bigint | null;
  readonly inputAudio: bigint | null;
  readonly outputAudio: bigint | null;
  readonly cacheReadAudio: bigint | null;
  readonly inputImage: bigint | null;
  readonly outputImage: bigint | null;
  readonly reasoning: bigint | null;
  /** Per call: what a model that searches with every call costs in addition to its tokens. */
  readonly request: bigint | null;
  readonly webSearch: bigint | null;
  readonly fileSearch: bigint | null;
  readonly codeInterpreter: bigint | null;
}

export interface TableTier extends TableLines {
  readonly abovePromptTokens: number;
}

/** Pico-USD per unit. */
export interface TablePrices extends TableLines {
  readonly tiers: readonly TableTier[];
}

/**
 * Alibaba bills a whole answer at the price of thoughts if the model thought, which its usage does not say of an answer without any:
 * https://www.alibabacloud.com/help/en/model-studio/model-pricing
 */
export function withWholeThinking(provider: string, prices: TablePrices): TablePrices {
  if (provider !== 'alibaba') return prices;
  return { ...dearerOutput(prices), tiers: prices.tiers.map((tier) => ({ ...tier, ...dearerOutput(tier) })) };
}

function dearerOutput(lines: TableLines): TableLines {
  const { output, reasoning } = lines;
  return { ...lines, output: reasoning !== null && reasoning > output ? reasoning : output, reasoning: null };
}

/** Lines that a tier does not name stay as they are below it. */
export function withTiers(
  base: TableLines,
  tiers: readonly (Partial<TableLines> & { readonly abovePromptTokens: number })[],
): TablePrices {
  const ascending = tiers.toSorted((a, b) => a.abovePromptTokens - b.abovePromptTokens);
  return { ...base, tiers: ascending.map((tier) => ({ ...base, ...tier })) };
}
