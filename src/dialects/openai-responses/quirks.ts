/** Differences between servers that speak this format. */
import { OPENAI_REASONING, type ReasoningOrigin } from '../../chat/request.ts';
import type { WriteTarget } from '../interface/write-target.ts';

export interface Quirks {
  /**
   * Whether an earlier thought is accepted with its text alone, as servers of open models write it. OpenAI takes back only what it encrypted:
   * https://platform.openai.com/docs/guides/reasoning#encrypted-reasoning-items
   */
  readonly rawThoughts: boolean;
  /** Whether tools may take free text: https://platform.openai.com/docs/guides/function-calling (custom tools) */
  readonly customTools: boolean;
  /**
   * Whose encrypted thoughts these are, in OpenRouter's words: each vendor refuses those of the others, even of the same models. OpenAI's own
   * value has no mark in what callers get, that of any other vendor has.
   * https://openrouter.ai/docs/use-cases/reasoning-tokens#reasoning_details-array-structure
   */
  readonly thoughtOrigin: ReasoningOrigin;
}

/** For unknown servers: those that show raw thoughts accept them back. */
export const usualQuirks: Quirks = { rawThoughts: true, customTools: false, thoughtOrigin: OPENAI_REASONING };

export type DialectTarget = WriteTarget<Quirks>;
