/**
 * Writes usage for a caller of this format: `prompt_tokens` includes cached and cache-written tokens, `completion_tokens` includes
 * reasoning and audio. `cost` in USD is OpenRouter's.
 *
 * https://openrouter.ai/docs/use-cases/usage-accounting
 */
import { completionTokens, promptTokens, type Usage } from '../../../core/usage.ts';

/** `cost` is an exact decimal number literal, or null without a price. For `JSON.stringify`. */
export function writeUsage(usage: Usage, cost: string | null): Record<string, unknown> {
  const prompt = promptTokens(usage);
  const completion = completionTokens(usage);
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    ...(cost === null ? {} : { cost: JSON.rawJSON(cost) }),
    prompt_tokens_details: {
      cached_tokens: usage.cacheReadTokens,
      cache_write_tokens: usage.cacheWriteTokens + usage.cacheWrite1hTokens,
      audio_tokens: usage.inputAudioTokens,
    },
    completion_tokens_details: { reasoning_tokens: usage.reasoningTokens, audio_tokens: usage.outputAudioTokens },
    ...(usage.webSearches === 0 ? {} : { server_tool_use_details: { web_search_requests: usage.webSearches } }),
  };
}
