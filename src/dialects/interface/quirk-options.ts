/** Options of the configuration that a dialect reads as its quirks. Null, or absent, where the operator says nothing. */
export interface QuirkOptions {
  /** Of a provider: the name of the output cap that it obeys. */
  readonly outputCapField?: (typeof OUTPUT_CAP_FIELD)[number] | null;
  /** Of a provider: where earlier thoughts are given back to it. */
  readonly reasoningBack?: (typeof REASONING_BACK)[number] | null;
  /** Of a model: how it is asked to think. */
  readonly thinking?: (typeof THINKING)[number] | null;
}

export const OUTPUT_CAP_FIELD = ['max_tokens', 'max_completion_tokens', 'either'] as const;
export const REASONING_BACK = ['reasoning_details', 'reasoning_content', 'none'] as const;
export const THINKING = ['adaptive', 'budget', 'always'] as const;
