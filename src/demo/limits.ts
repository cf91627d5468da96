/** How much the demo models read and write; the catalogue shows the same bounds. */
import { badRequest, type Refusal } from './refusal.ts';

/** Tokens that a model reads and writes in one call. */
export const CONTEXT_WINDOW = 200_000;
/** Tokens of the longest answer; with several choices, of all of them together. */
export const OUTPUT_CAP = 100_000;
/** Tokens of the longest text that is turned into a vector or judged, and of a query with one document. */
export const READ_TOKENS_MAX = 2_048;
/** Characters of the longest answer, since a token may have any amount of white space. */
export const OUTPUT_CHARACTERS_MAX = 4 * 1024 * 1024;

/** `overflow` makes the error in the vendor's wording, which clients parse for the numbers. */
export function checkFits(promptTokens: number, overflow: (tokens: number) => Refusal): void {
  if (promptTokens > CONTEXT_WINDOW) throw overflow(promptTokens);
}

/** https://platform.openai.com/docs/guides/error-codes */
export function openaiOverflow(tokens: number): Refusal {
  return badRequest(
    `This model's maximum context length is ${CONTEXT_WINDOW} tokens. However, your messages resulted in ${tokens} tokens. Please reduce the length of the messages.`,
    { param: 'messages', code: 'context_length_exceeded' },
  );
}

/** https://docs.anthropic.com/en/api/errors */
export function anthropicOverflow(tokens: number): Refusal {
  return badRequest(`prompt is too long: ${tokens} tokens > ${CONTEXT_WINDOW} maximum`);
}
