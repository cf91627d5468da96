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

/** Lines that a tier does not name stay as they are below it. */
export function withTiers(
  base: TableLines,
  tiers: readonly (Partial<TableLines> & { readonly abovePromptTokens: number })[],
): TablePrices {
  const ascending = tiers.toSorted((a, b) => a.abovePromptTokens - b.abovePromptTokens);
  return { ...base, tiers: ascending.map((tier) => ({ ...base, ...tier })) };
}
