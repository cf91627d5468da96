/** What makes a call cost less, for the error of one that is not paid for. */
import type { Understood } from '../phases.ts';

/** As the end of a sentence: `ask for fewer tokens (max_tokens)`. */
export function savingOf({ operation, dialect }: Pick<Understood, 'operation' | 'dialect'>): string {
  return operation.saving ?? `ask for fewer tokens (${dialect.costLimits.outputCap})`;
}
