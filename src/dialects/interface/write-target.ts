import type { Effort } from '../../chat/request.ts';

/** What a request is written for: the model at the provider, as the catalogue and the provider's declaration know it. */
export interface WriteTarget<Quirks = object> {
  readonly upstreamModel: string;
  /** The most output tokens the model gives; null when nobody knows. */
  readonly outputCap: number | null;
  /** What the model takes, in OpenRouter's words (`temperature`, `top_k`, `tools`, …); null when nobody knows: then see `takesParameter`. */
  readonly parameters: ReadonlySet<string> | null;
  /** The efforts the model knows, in the order of `EFFORTS`; null when nobody knows. */
  readonly efforts: readonly Effort[] | null;
  /** What of sampling is said where nobody knows what the model takes. */
  readonly sampling: readonly SamplingField[];
  /** Those of the format, as the provider and the model have them. */
  readonly quirks: Quirks;
}

/** A translated request; `warnings` say, a short sentence each, what of it could not be said in this format. */
export interface WrittenRequest {
  readonly headers: Record<string, string>;
  readonly body: Buffer;
  readonly warnings: readonly string[];
  /** The cap on output tokens that stands in the body; null where none does. */
  readonly outputCap: number | null;
  /** What tools are called on the wire where that is not the caller's name for them: wire name → name; null where all are. */
  readonly toolNames: ReadonlyMap<string, string> | null;
}

/** What some servers refuse whole requests for. */
export const SAMPLING_FIELDS = ['temperature', 'top_p', 'top_k'] as const;
export type SamplingField = (typeof SAMPLING_FIELDS)[number];
