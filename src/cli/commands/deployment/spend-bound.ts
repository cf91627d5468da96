/** The most that an examination can cost, from the prices of the model, before anything is spent. */
import { ANSWER_TOKENS, PROMPT } from './check-answers.ts';
import { CACHE_TOKENS, longPrompt } from './check-prompt-cache.ts';
import { THOUGHTFUL_TOKENS } from './check-thinking.ts';
import { TOOL_PROMPT, TOOL_TOKENS } from './check-tools.ts';
import { formats } from './formats.ts';
import type { ListedModel } from './models.ts';

/** What a request has besides its prompt: names of fields, a tool, and what a provider adds to describe tools. */
const REQUEST_TOKENS = 1_500;

interface Planned {
  readonly calls: number;
  /** No tokenizer makes more tokens than a text has bytes. */
  readonly promptBytes: number;
  readonly outputTokens: number;
}

const TURNS = 2;
/** Whole and streamed. */
const WAYS = 2;

const plan: readonly Planned[] = [
  { calls: WAYS * formats.length, promptBytes: PROMPT.length, outputTokens: ANSWER_TOKENS },
  { calls: 2, promptBytes: TOOL_PROMPT.length, outputTokens: TOOL_TOKENS },
  // The second turn sends the first answer back.
  { calls: TURNS, promptBytes: TOOL_PROMPT.length + 8 * THOUGHTFUL_TOKENS, outputTokens: THOUGHTFUL_TOKENS },
  { calls: TURNS, promptBytes: longPrompt(0).length, outputTokens: CACHE_TOKENS },
];

export const PLANNED_CALLS = plan.reduce((sum, { calls }) => sum + calls, 0);

/** USD; null if the model has no price. */
export function mostUsd({ input, output, request }: Omit<ListedModel, 'id'>): number | null {
  if (input === null || output === null) return null;
  return plan.reduce(
    (sum, { calls, promptBytes, outputTokens }) =>
      sum + calls * ((promptBytes + REQUEST_TOKENS) * input + outputTokens * output + request),
    0,
  );
}
