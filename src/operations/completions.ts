/**
 * Goes on with a text, whole or as a stream, for models and tools from before conversations, and for code between two parts. Prompt and output
 * are charged as those of a conversation: https://platform.openai.com/docs/api-reference/completions
 */
import { partOperation } from './part-of.ts';

export const completions = partOperation('completions', {
  priceLines: [
    ...(['input', 'output', 'cacheRead', 'cacheWrite', 'inputAudio', 'outputAudio', 'reasoning'] as const),
    ...(['request', 'webSearch'] as const),
  ],
  mayBeKept: false,
});
