/**
 * The usage rules of this format: `input_tokens` includes what was read from and written to a cache, `output_tokens` includes reasoning. An
 * invalid count makes its part of the report, prompt or output, unusable.
 *
 * https://platform.openai.com/docs/api-reference/responses/object (usage)
 */
import { asObject, type JsonObject, objectsOf } from '../../../core/json-object.ts';
import { NO_USAGE, partsOf, type ReportedParts, readCount, type Usage } from '../../../core/usage.ts';
import { ToolUses } from './tool-uses.ts';

/** The reading of a response's `usage`. */
export interface UsageReading {
  /** A part that was not reported is 0. */
  readonly usage: Usage;
  readonly reported: ReportedParts;
  /** Whether some of it is not a count: negative, too large, or of another type. */
  readonly isInvalid: boolean;
}

/** Null if the response has no counts. `streamed`: the uses of tools in its stream. */
export function readUsage(response: JsonObject, streamed = new ToolUses()): UsageReading | null {
  const value = response['usage'];
  if (isAbsent(value)) return null;
  const usage = asObject(value);
  if (usage === null) return { usage: NO_USAGE, reported: 'none', isInvalid: true };
  const hasPrompt = !isAbsent(usage['input_tokens']);
  const hasOutput = !isAbsent(usage['output_tokens']);
  if (!hasPrompt && !hasOutput) return null;
  const total = countOf(usage['total_tokens']);
  const output = countOf(usage['output_tokens']);
  const prompt = hasPrompt ? readPrompt(usage) : null;
  const reasoning = countOf(asObject(usage['output_tokens_details'])?.['reasoning_tokens']);
  const uses = { ...usesOf(response, streamed), ...reportedUses(usage) };
  const searches = reportedSearches(response);
  const isOutput = hasOutput && output !== null && reasoning !== null;
  const isTotal = isAbsent(usage['total_tokens']) || total !== null;
  return {
    usage: {
      ...NO_USAGE,
      ...prompt,
      outputTokens: isOutput ? output : 0,
      reasoningTokens: isOutput ? Math.min(reasoning, output) : 0,
      ...uses,
      webSearches: searches ?? uses.webSearches,
    },
    reported: partsOf(prompt !== null, isOutput),
    isInvalid: hasPrompt !== (prompt !== null) || hasOutput !== isOutput || searches === null || !isTotal,
  };
}

/** How often the provider searched the web, as it says. Undefined if it does not say, null if that is not a count. */
function reportedSearches(response: JsonObject): number | null | undefined {
  const reported = asObject(asObject(response['tool_usage'])?.['web_search'])?.['num_requests'];
  return isAbsent(reported) ? undefined : countOf(reported);
}

/**
 * How often xAI ran its tools; the items of its answers include attempts that failed, which it does not bill. A value that is not a count is as
 * if it were absent. https://docs.x.ai/developers/tools/tool-usage-details
 */
function reportedUses(usage: JsonObject): Partial<ToolUses['counts']> {
  const details = asObject(usage['server_side_tool_usage_details']);
  if (details === null) return {};
  const reported = (name: string) => (isAbsent(details[name]) ? null : countOf(details[name]));
  const webSearches = reported('web_search_calls');
  const fileSearches = reported('file_search_calls');
  const codeContainers = reported('code_interpreter_calls');
  return {
    ...(webSearches !== null && { webSearches }),
    ...(fileSearches !== null && { fileSearches }),
    ...(codeContainers !== null && { codeContainers }),
  };
}

/** The uses among the items of the answer, or those seen while it was streamed, if that were more. */
function usesOf(response: JsonObject, streamed: ToolUses): ToolUses['counts'] {
  const uses = new ToolUses();
  for (const item of objectsOf(response['output'])) uses.see(item);
  const { webSearches, fileSearches, codeContainers } = uses.counts;
  const seen = streamed.counts;
  return {
    webSearches: Math.max(webSearches, seen.webSearches),
    fileSearches: Math.max(fileSearches, seen.fileSearches),
    codeContainers: Math.max(codeContainers, seen.codeContainers),
  };
}

/** xAI may report more cached tokens than input tokens: those are not included in them. */
function readPrompt(usage: JsonObject): Partial<Usage> | null {
  const details = asObject(usage['input_tokens_details']) ?? NO_DETAILS;
  const all = countOf(usage['input_tokens']);
  const cached = countOf(details['cached_tokens']);
  const written = countOf(details['cache_write_tokens']);
  if (isAbsent(usage['input_tokens']) || all === null || cached === null || written === null) return null;
  if (cached + written <= all) {
    return { inputTokens: all - cached - written, cacheReadTokens: cached, cacheWriteTokens: written };
  }
  return written === 0 ? { inputTokens: all, cacheReadTokens: cached } : null;
}

const NO_DETAILS: JsonObject = {};

/** 0 if absent, null if it is not a count. */
function countOf(value: unknown): number | null {
  return isAbsent(value) ? 0 : readCount(value);
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}
