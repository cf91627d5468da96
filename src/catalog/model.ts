/** What can be served, where, and for how much. Facts only; choosing among targets is `routing/`. */
import type { PriceVersionId } from '../core/ids.ts';
import type { PicoUsd } from '../core/money.ts';
import type { Quantization } from '../core/routing/quantization.ts';
import type { ServerTool } from '../core/server-tools.ts';
import type { UnitPrice } from '../core/units/units.ts';
import type { DeclaredQuirks, ProviderDialectName } from '../dialects/index.ts';
import type { SamplingField, WriteTarget } from '../dialects/interface/write-target.ts';

/** Pico-USD per unit. A null line is billed as the nearest line that is not null; see `cost.ts`. */
export interface PriceLines {
  readonly input: PicoUsd;
  readonly output: PicoUsd;
  readonly cacheRead: PicoUsd | null;
  readonly cacheWrite: PicoUsd | null;
  readonly cacheWrite1h: PicoUsd | null;
  readonly inputAudio: PicoUsd | null;
  readonly outputAudio: PicoUsd | null;
  /** Of audio that is read from the cache. */
  readonly cacheReadAudio: PicoUsd | null;
  /** Of images that are read, those of the cache aside. */
  readonly inputImage: PicoUsd | null;
  readonly outputImage: PicoUsd | null;
  readonly reasoning: PicoUsd | null;
  /** Per image in the prompt, if the vendor prices images that way. */
  readonly image: PicoUsd | null;
  /** Per call. */
  readonly request: PicoUsd | null;
  /** Per web search. */
  readonly webSearch: PicoUsd | null;
  /** Per search of stored files. */
  readonly fileSearch: PicoUsd | null;
  /** Per container of the code interpreter. */
  readonly codeInterpreter: PicoUsd | null;
}

/** Above this many prompt tokens (strictly greater) the whole call is billed at these lines. */
export interface PriceTier extends PriceLines {
  readonly abovePromptTokens: number;
}

export interface Prices extends PriceLines {
  /** Per piece of what is not counted in tokens, in order of name. */
  readonly units: readonly UnitPrice[];
  /** Ascending by `abovePromptTokens`. */
  readonly tiers: readonly PriceTier[];
}

/** `configured`: by the file or with the provider; `pinned`, `unpinned` (once pinned, and left until an import) and `imported`: by `turnpike models`. */
export type PriceOrigin = 'configured' | 'pinned' | 'unpinned' | 'imported' | 'built-in' | 'unknown';

/** A provider where a model can be served. */
export interface Target {
  /** Name of a configured provider. */
  readonly provider: string;
  /** What that provider calls the model. */
  readonly upstreamModel: string;
  /** The formats in which it is served there, the preferred one first. */
  readonly dialects: readonly ProviderDialectName[];
  readonly contextWindow: number | null;
  readonly outputCap: number | null;
  /** How the model counts tokens, if that is known exactly; used to count what a cut-off answer delivered. */
  readonly tokenizer?: 'words';
  /** Set if it searches the web with every call: it then reads more than the request, and the search fee is a fee per call. */
  readonly searchesAlways?: true;
  /** The tools that it runs itself; absent if unknown: then all are passed on. */
  readonly serverTools?: readonly ServerTool[];
  /** Set if `max_tool_calls` may not limit how often they are used. */
  readonly ignoresToolLimit?: true;
  /** When its provider ends it, wall time, ms; absent if unknown. */
  readonly retiresAt?: number;
  /** How exactly it is kept there, if the configuration says so of this model. */
  readonly quantization?: Quantization;
  /** Where the prices are from; absent for those of a model that brings its own. */
  readonly priceOrigin?: PriceOrigin;
  /** Null if the price is unknown, which differs from `free`: all zeros. */
  readonly prices: Prices | null;
  /** The stored version of these prices, for records; set when the catalogue is opened. */
  readonly priceVersion: PriceVersionId | null;
}

/** A target's prices, to be pinned. */
export interface PricedTarget {
  readonly model: string;
  readonly provider: string;
  readonly upstreamModel: string;
  readonly prices: Prices;
}

/**
 * In OpenRouter's vocabulary, and `moderation`. The last four say what a model is for that does not write: `embeddings` turns texts into vectors,
 * `rerank` orders documents, `moderation` judges whether a text is harmful, `transcription` writes down what is said in a recording.
 */
export const MODALITIES = [
  'text',
  'image',
  'audio',
  'video',
  'file',
  'embeddings',
  'rerank',
  'moderation',
  'transcription',
] as const;
export type Modality = (typeof MODALITIES)[number];

export type Efforts = NonNullable<WriteTarget['efforts']>;

export interface Model {
  /** `<vendor>/<name>`. */
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** Seconds since 1970, or 0 when unknown. */
  readonly created: number;
  readonly contextWindow: number | null;
  readonly outputCap: number | null;
  readonly inputModalities: readonly Modality[];
  readonly outputModalities: readonly Modality[];
  /** Set if nothing says what it writes; then text is assumed, and it may be for anything. */
  readonly assumesOutput?: true;
  /** In OpenRouter's vocabulary. Empty if unknown, which does not mean that it supports none. */
  readonly supportedParameters: readonly string[];
  /** Whether the list is from the configuration, and so complete; absent if it is from the tables, which omit some. */
  readonly listsAllParameters?: boolean;
  /** The sampling fields sent in a translated request while that list is empty; absent: the provider's setting applies. */
  readonly sampling?: readonly SamplingField[];
  /** The efforts it supports, in the order of `EFFORTS`; null if unknown. */
  readonly efforts: Efforts | null;
  /** By dialect, where it is known to differ from its provider's quirks. */
  readonly quirks: DeclaredQuirks;
  readonly knowledgeCutoff: string | null;
  /** In order of preference; never empty in an opened catalogue. */
  readonly targets: readonly Target[];
}

/** The models that the configured providers can serve. */
export interface Catalog {
  /** By exact id, or by another spelling of it (`anthropic/claude-sonnet-4.5` finds `anthropic/claude-sonnet-4-5`). */
  get(id: string): Model | undefined;
  /** Models whose id, or another spelling of it, ends in `/<name>`. */
  named(name: string): readonly Model[];
  /** In order of id. */
  all(): readonly Model[];
}
