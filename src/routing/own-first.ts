/** Step: whatever else decides the order, a model's own credentials come before the operator's, as their owner wants it. */
import type { Model } from '../catalog/model.ts';
import type { Candidate } from './candidate.ts';

/** The same list for a caller without own credentials. A later model does not come before an earlier one. */
export function ownFirst(candidates: readonly Candidate[]): readonly Candidate[] {
  if (!candidates.some(({ own }, index) => own !== null && index > 0)) return candidates;
  const placed = new Set<Model>();
  return candidates.flatMap((candidate) => {
    const { model } = candidate;
    const isFirst = !placed.has(model);
    placed.add(model);
    const own = isFirst ? candidates.filter((each) => each.own !== null && each.model === model) : [];
    return candidate.own === null ? [...own, candidate] : own;
  });
}
