/** Differences between servers that speak this format. */
import type { WriteTarget } from '../interface/write-target.ts';

export interface Quirks {
  /**
   * Whether an earlier thought is accepted with its text alone, as servers of open models write it. OpenAI takes back only what it encrypted:
   * https://platform.openai.com/docs/guides/reasoning#encrypted-reasoning-items
   */
  readonly rawThoughts: boolean;
  /** Whether tools may take free text: https://platform.openai.com/docs/guides/function-calling (custom tools) */
  readonly customTools: boolean;
}

/** For unknown servers: those that show raw thoughts accept them back. */
export const usualQuirks: Quirks = { rawThoughts: true, customTools: false };

export type DialectTarget = WriteTarget<Quirks>;
