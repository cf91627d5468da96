/** Differences between servers that speak this format. */
import { OPENAI_REASONING, type ReasoningOrigin } from '../../chat/request.ts';
import type { QuirkOptions } from '../interface/quirk-options.ts';
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
   * Whether a summary of what the model thinks may be requested. OpenAI refuses such a request of an organisation that is not verified:
   * https://help.openai.com/en/articles/10910291-api-organization-verification
   */
  readonly summaries: boolean;
  /**
   * Whose encrypted thoughts these are, in OpenRouter's words: each vendor refuses those of the others, even of the same models. OpenAI's own
   * value has no mark in what callers get, that of any other vendor has.
   * https://openrouter.ai/docs/use-cases/reasoning-tokens#reasoning_details-array-structure
   */
  readonly thoughtOrigin: ReasoningOrigin;
}

/** For unknown servers: those that show raw thoughts accept them back. */
export const usualQuirks: Quirks = {
  rawThoughts: true,
  customTools: false,
  summaries: true,
  thoughtOrigin: OPENAI_REASONING,
};

/** `null` means not set. */
export function readQuirkOptions({ reasoningSummary = null }: QuirkOptions): Partial<Quirks> {
  return reasoningSummary === null ? {} : { summaries: reasoningSummary };
}

export type DialectTarget = WriteTarget<Quirks>;
