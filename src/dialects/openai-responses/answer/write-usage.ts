/**
 * Writes usage for a caller of this format: `input_tokens` includes cached and cache-written tokens, `output_tokens` includes reasoning.
 * `cost` in USD is OpenRouter's.
 *
 * https://platform.openai.com/docs/api-reference/responses/object (usage)
 */
import { completionTokens, promptTokens, type Usage } from '../../../core/usage.ts';

/** `cost` is an exact decimal number literal, or null without a price. For `JSON.stringify`. */
export function writeUsage(usage: Usage, cost: string | null): Record<string, unknown> {
  const input = promptTokens(usage);
  const output = completionTokens(usage);
  return {
    input_tokens: input,
    input_tokens_details: {
      cached_tokens: usage.cacheReadTokens,
      cache_write_tokens: usage.cacheWriteTokens + usage.cacheWrite1hTokens,
    },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: usage.reasoningTokens },
    total_tokens: input + output,
    ...(cost === null ? {} : { cost: JSON.rawJSON(cost) }),
  };
}
