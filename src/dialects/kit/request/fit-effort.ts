/** How much a model should think, as an effort that it accepts. */
import { EFFORTS, type Effort, type Reasoning } from '../../../chat/request.ts';

/** An effort takes precedence over a budget; null if the model decides. */
export function wantedEffort({ effort, budget }: Reasoning): Effort | null {
  if (effort !== null || budget === null) return effort;
  if (budget <= LOW_TOKENS_MAX) return 'low';
  return budget <= MEDIUM_TOKENS_MAX ? 'medium' : 'high';
}

const LOW_TOKENS_MAX = 4096;
const MEDIUM_TOKENS_MAX = 16384;

/** The nearest accepted effort, the lower of two; null if the model accepts none. */
export function nearestEffort(
  wanted: Effort | null,
  known: readonly Effort[] | null,
  warnings: Set<string>,
): Effort | null {
  if (wanted === null || known === null || known.includes(wanted)) return wanted;
  // A request to think never becomes `none`.
  const eligible = wanted === 'none' ? known : known.filter((effort) => effort !== 'none');
  let best: Effort | null = null;
  for (const effort of eligible) {
    if (best === null || distance(effort, wanted) < distance(best, wanted)) best = effort;
  }
  if (best !== null)
    warnings.add(`reasoning effort "${wanted}" is not supported by this model; it is asked for "${best}"`);
  else if (wanted !== 'none') warnings.add('reasoning effort was left out, because this model does not accept it');
  return best;
}

function distance(left: Effort, right: Effort): number {
  return Math.abs(EFFORTS.indexOf(left) - EFFORTS.indexOf(right));
}
