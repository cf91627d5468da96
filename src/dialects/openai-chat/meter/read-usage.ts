/**
 * The usage rules of the chat completions format and of the vendors that speak it. `prompt_tokens` includes cached and cache-written
 * tokens, `completion_tokens` includes reasoning and audio; the exceptions are below. An invalid count makes its part of the report, prompt
 * or output, unusable.
 *
 * https://platform.openai.com/docs/api-reference/chat/object (usage)
 */

import { asArray, asObject, type JsonObject } from '../../../core/json-object.ts';
import { NO_USAGE, partsOf, type ReportedParts, readCount, type Usage } from '../../../core/usage.ts';

/** The reading of a `usage` value. */
export interface UsageReading {
  /** A part that was not reported is 0. */
  readonly usage: Usage;
  readonly reported: ReportedParts;
  /** Whether some of it is not a count: negative, too large, or of another type. */
  readonly isInvalid: boolean;
}

/** Null if it has no counts. */
export function readUsage(value: unknown): UsageReading | null {
  if (value === undefined || value === null) return null;
  const usage = asObject(value);
  if (usage === null) return { usage: NO_USAGE, reported: 'none', isInvalid: true };
  const hasPrompt = !isAbsent(usage['prompt_tokens']);
  const hasOutput = !isAbsent(usage['completion_tokens']);
  if (!hasPrompt && !hasOutput) return null;
  const prompt = hasPrompt ? readPrompt(usage) : NO_PROMPT;
  const total = usage['total_tokens'];
  // An invalid total, or one with an invalid prompt count, proves nothing.
  const isTotal = hasPrompt && isCount(prompt.plain) && readCount(total) !== null;
  const output = hasOutput ? readOutput(usage, prompt, isTotal ? total : null) : NO_OUTPUT;
  const searches = readWebSearches(usage);
  const isPrompt = hasPrompt && isCount(prompt.plain) && isCount(prompt.audio) && isCount(prompt.images);
  const isOutput = hasOutput && isCount(output.text) && isCount(output.audio) && isCount(output.reasoning);
  const isInvalid =
    hasPrompt !== isPrompt ||
    hasOutput !== isOutput ||
    !isCount(searches) ||
    !(isAbsent(total) || readCount(total) !== null);
  return {
    usage: {
      inputTokens: isPrompt ? prompt.plain : 0,
      cacheReadTokens: isPrompt ? prompt.cached : 0,
      cacheWriteTokens: isPrompt ? prompt.written : 0,
      cacheWrite1hTokens: 0,
      inputAudioTokens: isPrompt ? prompt.audio : 0,
      outputTokens: isOutput ? output.text : 0,
      outputAudioTokens: isOutput ? output.audio : 0,
      cachedAudioTokens: 0,
      inputImageTokens: isPrompt ? prompt.images : 0,
      outputImageTokens: 0,
      reasoningTokens: isOutput ? output.reasoning : 0,
      webSearches: isCount(searches) ? searches : 0,
      fileSearches: 0,
      codeContainers: 0,
      units: 0,
      unitLine: 0,
    },
    reported: partsOf(isPrompt, isOutput),
    isInvalid,
  };
}

/**
 * The usage in an answer or a chunk: at the top level; for Groq's streams in `x_groq` (https://console.groq.com/docs/api-reference), for
 * older Moonshot streams in the last choice.
 */
export function findUsage(chunk: JsonObject): unknown {
  const usage = chunk['usage'];
  if (!isAbsent(usage)) return usage;
  const inGroq = asObject(chunk['x_groq'])?.['usage'];
  if (!isAbsent(inGroq)) return inGroq;
  for (const choice of asArray(chunk['choices'])) {
    const inChoice = asObject(choice)?.['usage'];
    if (!isAbsent(inChoice)) return inChoice;
  }
  return null;
}

/** Not negative, and not the NaN of an invalid count. */
function isCount(value: number): boolean {
  return value >= 0;
}

interface PromptCounts {
  readonly all: number;
  readonly plain: number;
  readonly cached: number;
  readonly written: number;
  readonly audio: number;
  /** Part of `plain`. */
  readonly images: number;
}

/**
 * Moonshot and Mistral have their own names for cached tokens, DeepSeek one that repeats the standard one. xAI says how many are images:
 * https://docs.x.ai/docs/api-reference#chat-completions
 */
function readPrompt(usage: JsonObject): PromptCounts {
  const details = asObject(usage['prompt_tokens_details']) ?? NO_DETAILS;
  const all = required(usage['prompt_tokens']);
  const reportedCached = count(
    details['cached_tokens'] ??
      usage['prompt_cache_hit_tokens'] ??
      usage['cached_tokens'] ??
      usage['num_cached_tokens'],
  );
  const written = count(
    details['cache_write_tokens'] ?? details['cache_creation_tokens'] ?? details['cache_creation_input_tokens'],
  );
  if (reportedCached > all || written > all) return IMPOSSIBLE;
  // OpenRouter counts what Gemini has just cached as written and as read; the overlap is priced as the more expensive one.
  const cached = reportedCached + written > all ? Math.max(0, reportedCached - written) : reportedCached;
  const uncached = all - cached - written;
  const reportedAudio = count(details['audio_tokens']);
  // Audio read from a cache is in both counts, and is priced as cached.
  const audio = reportedAudio > all ? Number.NaN : Math.min(reportedAudio, uncached);
  const plain = uncached - audio;
  const images = Math.min(count(details['image_tokens']), plain);
  return { all, plain, cached, written, audio, images };
}

const NO_PROMPT: PromptCounts = { all: 0, plain: 0, cached: 0, written: 0, audio: 0, images: 0 };
const NO_OUTPUT = { text: 0, audio: 0, reasoning: 0 };

const IMPOSSIBLE: PromptCounts = {
  all: Number.NaN,
  plain: Number.NaN,
  cached: Number.NaN,
  written: Number.NaN,
  audio: Number.NaN,
  images: Number.NaN,
};

/** `total` is null if it proves nothing. */
function readOutput(
  usage: JsonObject,
  prompt: PromptCounts,
  total: unknown,
): { text: number; audio: number; reasoning: number } {
  const details = asObject(usage['completion_tokens_details']) ?? NO_DETAILS;
  const completion = required(usage['completion_tokens']);
  const reported = count(details['reasoning_tokens'] ?? usage['reasoning_tokens']);
  const outside = reasoningOutside(total, prompt, completion, reported);
  const audio = count(details['audio_tokens']);
  const text = completion + outside - audio;
  return { text, audio, reasoning: Math.min(Math.max(reported, outside), text) };
}

/**
 * Reasoning that `completion_tokens` does not include. xAI reports it separately, and only its total includes it; Google's compatible API
 * does not report it, and only the total shows it. If the total exceeds the parts by exactly the cached tokens, the vendor counts those
 * separately, and there is no hidden output.
 */
function reasoningOutside(total: unknown, prompt: PromptCounts, completion: number, reported: number): number {
  if (isAbsent(total)) return reported > completion ? reported : 0;
  const hidden = count(total) - prompt.all - completion;
  if (Number.isNaN(hidden)) return hidden;
  if (reported > 0) return hidden === reported ? reported : 0;
  return hidden > 0 && hidden !== prompt.cached + prompt.written ? hidden : 0;
}

/** OpenRouter: https://openrouter.ai/docs/use-cases/usage-accounting */
function readWebSearches(usage: JsonObject): number {
  const tools = asObject(usage['server_tool_use_details']) ?? asObject(usage['server_tool_use']);
  return count(tools?.['web_search_requests']);
}

const NO_DETAILS: JsonObject = {};

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}

/** NaN for an invalid count: it makes every sum with it NaN, and so invalidates the reading. */
function required(value: unknown): number {
  return readCount(value) ?? Number.NaN;
}

function count(value: unknown): number {
  return isAbsent(value) ? 0 : required(value);
}
