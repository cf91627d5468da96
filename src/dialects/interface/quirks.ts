/**
 * The fields that OpenRouter added to a request, and `metadata`, which not all take as it does:
 * https://openrouter.ai/docs/api-reference/parameters
 */
export type OpenRouterField =
  | ('usage' | 'reasoning' | 'include_reasoning' | 'transforms' | 'plugins')
  | ('provider' | 'models' | 'route' | 'metadata');

export type OutputCapField = 'max_completion_tokens' | 'max_tokens';

/** The names of the output cap that a provider obeys; the first is the one that the gateway writes. */
export type OutputCapFields = readonly [OutputCapField, ...OutputCapField[]];

/** What a vendor's own kind of a dialect asks for; declared with the provider. */
export interface Quirks {
  /**
   * `openai-chat`: the fields that cap the output. Whoever obeys one of them only refuses the other, or reads past it: a cap
   * under a name that is not obeyed is none.
   */
  readonly outputCapFields: OutputCapFields;
  /** `openai-chat`: how the model is told how much to think: OpenAI's word, that beside DeepSeek's switch, OpenRouter's object, or not at all. */
  readonly reasoningField: 'reasoning_effort' | 'thinking' | 'reasoning' | 'none';
  /** `openai-chat`: where an assistant's earlier thoughts are given back; `none` where they are left out. */
  readonly reasoningBack: 'reasoning_details' | 'reasoning_content' | 'none';
  /** `openai-chat`: the fields of OpenRouter's that a relayed request keeps, beside `reasoning` where that is its `reasoningField`. */
  readonly openRouterFields: readonly OpenRouterField[];
  /** `openai-chat`: whether `cache_control` may stand on content parts. */
  readonly cacheControl: boolean;
  /** `openai-chat`: the role of instructions; some servers know only `system`. */
  readonly systemRole: 'system' | 'developer';
  /** Both formats: what of sampling a translated request tells a model of which nobody knows what it takes. */
  readonly sampling: readonly SamplingField[];
}

/** What some servers refuse whole requests for. */
export const SAMPLING_FIELDS = ['temperature', 'top_p', 'top_k'] as const;

export type SamplingField = (typeof SAMPLING_FIELDS)[number];
