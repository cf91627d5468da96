/** What a model may support, in OpenRouter's words: https://openrouter.ai/docs/api/reference/parameters */
// biome-ignore format: one line
export const PARAMETERS: readonly string[] = ['temperature', 'top_p', 'top_k', 'min_p', 'top_a', 'frequency_penalty', 'presence_penalty', 'repetition_penalty', 'max_tokens', 'max_completion_tokens', 'logit_bias', 'logprobs', 'top_logprobs', 'prediction', 'seed', 'response_format', 'structured_outputs', 'stop', 'tools', 'tool_choice', 'parallel_tool_calls', 'include_reasoning', 'reasoning', 'reasoning_effort', 'web_search_options', 'verbosity'];
