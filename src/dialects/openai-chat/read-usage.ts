/**
 * The usage rules of the chat completions format and of the vendors that speak it. Cached and
 * cache-written tokens stand inside `prompt_tokens`, reasoning and audio inside `completion_tokens`;
 * the exceptions are below. A count that is no count makes the whole report unusable.
 *
 * https://platform.openai.com/docs/api-reference/chat/object (usage)
 */
import { readCount, type Usage } from '../../core/usage.ts';
import { asArray, asObject, type JsonObject } from './json-value.ts';

/** What a `usage` value says; null where it says nothing, `'invalid'` where what it says cannot be. */
export function readUsage(value: unknown): Usage | 'invalid' | null {
  if (value === undefined || value === null) return null;
  const usage = asObject(value);
  if (usage === null) return 'invalid';
  if (isAbsent(usage['prompt_tokens']) && isAbsent(usage['completion_tokens'])) return null;
  const prompt = readPrompt(usage);
  const output = readOutput(usage, prompt);
  const reading: Usage = {
    inputTokens: prompt.plain,
    cacheReadTokens: prompt.cached,
    cacheWriteTokens: prompt.written,
    cacheWrite1hTokens: 0,
    inputAudioTokens: prompt.audio,
    outputTokens: output.text,
    outputAudioTokens: output.audio,
    reasoningTokens: output.reasoning,
    webSearches: readWebSearches(usage),
  };
  return isPossible(reading) ? reading : 'invalid';
}

/**
 * Where an answer or a chunk of one keeps its usage: at the top; Groq's streams in `x_groq`
 * (https://console.groq.com/docs/api-reference), older Moonshot streams in the last choice.
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

/** Whether no counter is negative, or the NaN of a count that is none. Runs for every answer, so it is spelled out. */
function isPossible(usage: Usage): boolean {
  return (
    usage.inputTokens >= 0 &&
    usage.cacheReadTokens >= 0 &&
    usage.cacheWriteTokens >= 0 &&
    usage.inputAudioTokens >= 0 &&
    usage.outputTokens >= 0 &&
    usage.outputAudioTokens >= 0 &&
    usage.reasoningTokens >= 0 &&
    usage.webSearches >= 0
  );
}

/** More tokens than this were never in one call; a larger number is a fault of the provider. */
const COUNT_MAX = 2 ** 31;

interface PromptCounts {
  readonly all: number;
  readonly plain: number;
  readonly cached: number;
  readonly written: number;
  readonly audio: number;
}

/** Moonshot and Mistral have names of their own for cached tokens, DeepSeek one that repeats the standard one. */
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
  // OpenRouter counts what Gemini has just cached as written and as read; the overlap is the dearer of the two.
  const cached = reportedCached + written > all ? Math.max(0, reportedCached - written) : reportedCached;
  const uncached = all - cached - written;
  const reportedAudio = count(details['audio_tokens']);
  // Audio read from a cache stands in both counts, and is priced as cached.
  const audio = reportedAudio > all ? Number.NaN : Math.min(reportedAudio, uncached);
  return { all, plain: uncached - audio, cached, written, audio };
}

const IMPOSSIBLE: PromptCounts = {
  all: Number.NaN,
  plain: Number.NaN,
  cached: Number.NaN,
  written: Number.NaN,
  audio: Number.NaN,
};

function readOutput(usage: JsonObject, prompt: PromptCounts): { text: number; audio: number; reasoning: number } {
  const details = asObject(usage['completion_tokens_details']) ?? NO_DETAILS;
  const completion = required(usage['completion_tokens']);
  const reported = count(details['reasoning_tokens'] ?? usage['reasoning_tokens']);
  const outside = reasoningOutside(usage['total_tokens'], prompt, completion, reported);
  const audio = count(details['audio_tokens']);
  const text = completion + outside - audio;
  return { text, audio, reasoning: Math.min(Math.max(reported, outside), text) };
}

/**
 * Reasoning that `completion_tokens` leaves out. xAI reports it apart, and only its total contains it; Google's
 * compatible side does not report it, and only the total shows it. A total that exceeds the parts by
 * just the cached tokens belongs to a vendor that counts those apart: no output hides there.
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

/** NaN where it is no count: it spoils every sum it enters, and so the whole reading. */
function required(value: unknown): number {
  const read = readCount(value);
  return read === null || read > COUNT_MAX ? Number.NaN : read;
}

function count(value: unknown): number {
  return isAbsent(value) ? 0 : required(value);
}
