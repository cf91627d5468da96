/** Configuration options that a dialect reads as its quirks. Null or absent if not configured. */
export interface QuirkOptions {
  /** Of a provider: the name of the output cap that it accepts. */
  readonly outputCapField?: (typeof OUTPUT_CAP_FIELD)[number] | null;
  /** Of a provider: where it expects earlier reasoning. */
  readonly reasoningBack?: (typeof REASONING_BACK)[number] | null;
  /** Of a provider: whether it summarises what a model thinks. */
  readonly reasoningSummary?: boolean | null;
  /** Of a model: how reasoning is requested. */
  readonly thinking?: (typeof THINKING)[number] | null;
}

export const OUTPUT_CAP_FIELD = ['max_tokens', 'max_completion_tokens', 'either'] as const;
export const REASONING_BACK = ['reasoning_details', 'reasoning_content', 'none'] as const;
export const THINKING = ['adaptive', 'budget', 'always'] as const;
