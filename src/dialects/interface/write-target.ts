import type { Effort } from '../../chat/request.ts';

/** What a request is written for: the model at the provider, from the catalogue and the provider's declaration. */
export interface WriteTarget<Quirks = object> {
  readonly upstreamModel: string;
  /** The most output tokens of the model; null when unknown. */
  readonly outputCap: number | null;
  /**
   * The parameters that the model accepts, named as OpenRouter does (`temperature`, `top_k`, `tools`, …); null when unknown: then see
   * `takesParameter`.
   */
  readonly parameters: ReadonlySet<string> | null;
  /** The efforts that the model accepts, in the order of `EFFORTS`; null when unknown. */
  readonly efforts: readonly Effort[] | null;
  /** Sampling fields to send when the model's parameters are unknown. */
  readonly sampling: readonly SamplingField[];
  /** The quirks of the provider and the model in this format. */
  readonly quirks: Quirks;
}

/** A translated request; `warnings`: short sentences about what this format could not express of it. */
export interface WrittenRequest {
  readonly headers: Record<string, string>;
  /** The value that `writeJson` makes the bytes of; nothing changes it any more. */
  readonly body: object;
  readonly warnings: readonly string[];
  /** The cap on output tokens in the body, or the caller's if that is lower than `raisedCap`; null without one. */
  readonly outputCap: number | null;
  /** The cap in the body if the format takes none as low as `outputCap`: the caller pays for no more than that all the same. */
  readonly raisedCap?: number;
  /** The stop sequences, if the format has no field for them: the gateway ends the answer there. None is empty. */
  readonly stop?: readonly string[];
  /** The tools whose name on the wire differs from the caller's: wire name → name; null if none do. */
  readonly toolNames: ReadonlyMap<string, string> | null;
}

/** Fields for which some servers refuse the whole request. */
export const SAMPLING_FIELDS = ['temperature', 'top_p', 'top_k'] as const;
export type SamplingField = (typeof SAMPLING_FIELDS)[number];
