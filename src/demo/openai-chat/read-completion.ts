/**
 * Reads a request to go on with a text: https://platform.openai.com/docs/api-reference/completions/create. Each prompt is asked for itself; of
 * tokens, each number is a word.
 */
import { isObject, type JsonObject } from '../../core/json-object.ts';
import type { Ask } from '../ask.ts';
import { checkFits, openaiOverflow } from '../limits.ts';
import { badRequest } from '../refusal.ts';
import { countTokens } from '../words.ts';
import { checkRange, readChoices, readFlag, readStops, readWhole } from './read-fields.ts';

export interface CompletionAsk {
  /** One for each prompt, which is its `userText`. */
  readonly asks: readonly Ask[];
  readonly includeUsage: boolean;
  /** Whether each text begins with its prompt. */
  readonly isEcho: boolean;
  /** How many answers to each prompt are made, of which only the best are shown. */
  readonly candidates: number;
}

/** As at OpenAI. */
const OUTPUT_CAP_DEFAULT = 16;
const PROMPTS_MAX = 2_048;
const BEST_OF_MAX = 20;

export function readCompletionAsk(body: JsonObject): CompletionAsk {
  const { model, prompt = '', suffix = null, stream_options: options } = body;
  if (typeof model !== 'string' || model === '') throw badRequest('The model is missing.', { param: 'model' });
  const stream = readFlag(body, 'stream');
  if (!stream && isObject(options)) throw badRequest("'stream_options' goes with 'stream' only.");
  checkRange(body, 'temperature', 0, 2);
  checkRange(body, 'top_p', 0, 1);
  const choices = readChoices(body);
  const candidates = Math.max(choices, readWhole(body, 'best_of', 0) ?? 1);
  if (candidates > choices && (stream || candidates > BEST_OF_MAX))
    throw badRequest(`'best_of' is at most ${BEST_OF_MAX}, and goes with no stream.`, { param: 'best_of' });
  const common = {
    ...{ model, stream, choices, outputCap: readWhole(body, 'max_tokens', 0) ?? OUTPUT_CAP_DEFAULT },
    ...{ stops: readStops(body['stop']), tools: [], toolChoice: { type: 'auto' } as const, parallelTools: false },
    ...{ toolResults: [], toolRounds: 0, format: { type: 'text' } as const, thinking: 'none' as const },
  };
  const rest = typeof suffix === 'string' ? countTokens(suffix) : 0;
  return {
    asks: promptsOf(prompt).map((text) => {
      const input = countTokens(text) + rest;
      checkFits(input, openaiOverflow);
      return { ...common, userText: text, prompt: { input, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0 } };
    }),
    includeUsage: isObject(options) && options['include_usage'] === true,
    isEcho: readFlag(body, 'echo'),
    candidates,
  };
}

function promptsOf(prompt: unknown): readonly string[] {
  const prompts = Array.isArray(prompt) && !prompt.every(isNumber) ? prompt : [prompt ?? ''];
  if (prompts.length === 0 || prompts.length > PROMPTS_MAX)
    throw badRequest(`'prompt' must have from 1 to ${PROMPTS_MAX} items.`, { param: 'prompt' });
  return prompts.map((each) => {
    if (typeof each === 'string') return each;
    if (Array.isArray(each) && each.length > 0 && each.every(isNumber)) return each.join(' ');
    throw badRequest("'prompt' must be a text or tokens, or a list of these.", { param: 'prompt' });
  });
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number';
}
