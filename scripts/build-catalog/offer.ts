/** A place where a model is sold, as one table describes it, in the words of the catalogue. */
import type { Efforts, Modality } from '../../src/catalog/model.ts';
import type { Quirks } from '../../src/dialects/anthropic-messages/quirks.ts';
import type { ProviderDialectName } from '../../src/dialects/index.ts';

export interface OfferLines {
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

export interface OfferTier extends OfferLines {
  readonly abovePromptTokens: number;
}

/** Pico-USD per unit. */
export interface OfferPrices extends OfferLines {
  readonly tiers: readonly OfferTier[];
}

/** What writers of requests need to know; null if the table does not say. */
export interface Abilities {
  readonly efforts: Efforts | null;
  readonly thinking: Quirks['thinking'];
  /** Whether temperature and similar fields are taken. */
  readonly sampling: boolean | null;
  readonly systemAnywhere: boolean | null;
  readonly prefill: boolean | null;
}

export const NOTHING_SAID: Abilities = {
  efforts: null,
  thinking: null,
  sampling: null,
  systemAnywhere: null,
  prefill: null,
};

/** `nothing`: nothing that the gateway can call. */
export type Purpose = 'chat' | 'embeddings' | 'nothing';

export interface Offer {
  /** One of this program's providers. */
  readonly provider: string;
  readonly upstreamModel: string;
  readonly displayName: string | null;
  /** Seconds since 1970, 0 when the table does not say. */
  readonly created: number;
  readonly knowledgeCutoff: string | null;
  readonly contextWindow: number | null;
  readonly outputCap: number | null;
  readonly inputModalities: readonly Modality[];
  readonly outputModalities: readonly Modality[];
  readonly supportedParameters: readonly string[];
  readonly abilities: Abilities;
  readonly prices: OfferPrices | null;
  /** `<provider>/<upstream model>` that a reseller declares to be the same model. */
  readonly sameAs: string | null;
  /** Whether it answers conversations, or turns texts into vectors; null when the table does not say. */
  readonly serves: Purpose | null;
  /** The only formats in which the provider serves it; null for all formats of the provider. */
  readonly dialects: readonly ProviderDialectName[] | null;
  readonly withdrawn: boolean;
}

/** Lines that a tier does not name stay as they are below it. */
export function withTiers(
  base: OfferLines,
  tiers: readonly (Partial<OfferLines> & { readonly abovePromptTokens: number })[],
): OfferPrices {
  const ascending = tiers.toSorted((a, b) => a.abovePromptTokens - b.abovePromptTokens);
  return { ...base, tiers: ascending.map((tier) => ({ ...base, ...tier })) };
}

export function agree(a: OfferLines, b: OfferLines): boolean {
  return a.input === b.input && a.output === b.output;
}
