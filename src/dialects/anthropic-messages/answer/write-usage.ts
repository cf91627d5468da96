/**
 * Usage as a caller of the Messages API reads it: the three counters of the prompt are disjoint, and output includes thinking. This format
 * never reports a cost.
 *
 * https://docs.anthropic.com/en/api/messages (usage)
 */

import type { JsonObject } from '../../../core/json-object.ts';
import { completionTokens, NO_USAGE, type Usage } from '../../../core/usage.ts';

/** For a whole answer. Without a report all counters are 0, since the official clients expect them. */
export function writeUsage(usage: Usage | null): JsonObject {
  const known = usage ?? NO_USAGE;
  return { ...counters(known), cache_creation: cacheCreation(known), ...details(known) };
}

/** For `message_start`: what is known about the prompt so far, and the API's placeholder for the output. */
export function writeStartUsage(usage: Usage | null): JsonObject {
  const known = usage ?? NO_USAGE;
  const fields = counters(known);
  return { ...fields, cache_creation: cacheCreation(known), output_tokens: Math.max(1, completionTokens(known)) };
}

/** For `message_delta`: the totals, with the split of cache writes if there is one. */
export function writeFinalUsage(usage: Usage | null): JsonObject {
  const known = usage ?? NO_USAGE;
  const writes = known.cacheWriteTokens + known.cacheWrite1hTokens;
  const split = writes > 0 ? { cache_creation: cacheCreation(known) } : {};
  return { ...counters(known), ...split, ...details(known) };
}

function counters(usage: Usage): JsonObject {
  return {
    // This format has no separate counter for audio.
    input_tokens: count(usage.inputTokens + usage.inputAudioTokens),
    cache_creation_input_tokens: count(usage.cacheWriteTokens + usage.cacheWrite1hTokens),
    cache_read_input_tokens: count(usage.cacheReadTokens),
    output_tokens: count(completionTokens(usage)),
  };
}

function cacheCreation(usage: Usage): JsonObject {
  return {
    ephemeral_5m_input_tokens: count(usage.cacheWriteTokens),
    ephemeral_1h_input_tokens: count(usage.cacheWrite1hTokens),
  };
}

function details(usage: Usage): JsonObject {
  return {
    ...(usage.reasoningTokens > 0 ? { output_tokens_details: { thinking_tokens: count(usage.reasoningTokens) } } : {}),
    ...(usage.webSearches > 0
      ? { server_tool_use: { web_search_requests: count(usage.webSearches), web_fetch_requests: 0 } }
      : {}),
  };
}

/** A provider's inconsistent counts must not become a negative count for the caller. */
function count(tokens: number): number {
  return Math.max(0, tokens);
}
