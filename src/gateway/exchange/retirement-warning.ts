/** The warning on answers of a model that its provider is about to end. */
import type { Candidate } from '../../routing/candidate.ts';

/** `warnings`, and one if it is known when the provider ends the model. */
export function withRetirement(warnings: readonly string[], { model, target }: Candidate): readonly string[] {
  const { retiresAt } = target;
  if (retiresAt === undefined) return warnings;
  const day = new Date(retiresAt).toISOString().slice(0, 10);
  return [...warnings, `the provider ends the model ${model.id} on ${day}`];
}
