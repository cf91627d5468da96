/** The answer about how a request would be served. */
import { type Money, usdLiteral } from '../../core/money.ts';
import type { Candidate } from '../../routing/candidate.ts';
import type { Reason } from '../../routing/reason.ts';
import { ATTEMPTS_MAX } from '../admission/admit.ts';
import type { Routed } from '../phases.ts';
import type { BoundedCandidate } from './bound-candidates.ts';

interface Noted {
  readonly candidate: Candidate;
  readonly reason: Reason;
}

/** `bounded`: those that can serve, in order. `notes`: why these come later than they would, and why the others are left out. */
export function writePlan({ peek }: Routed, bounded: readonly BoundedCandidate[], notes: readonly Noted[]): object {
  const served = new Set(bounded.map(({ candidate }) => candidate));
  const left = new Map<Candidate, Noted>();
  for (const noted of notes) {
    if (served.has(noted.candidate)) continue;
    // The last reason is why it is left out, whatever moved it before.
    left.delete(noted.candidate);
    left.set(noted.candidate, noted);
  }
  return {
    model: peek.model,
    /** At most this many of them are tried. */
    max_attempts: ATTEMPTS_MAX,
    max_cost: usdLiteral(mostOf(bounded.slice(0, ATTEMPTS_MAX))),
    candidates: bounded.map(({ candidate, isTranslated, most, warnings }) => ({
      ...named(candidate),
      translated: isTranslated,
      max_cost: usdLiteral(most),
      later_because: notes.filter((noted) => noted.candidate === candidate).map(({ reason }) => reason),
      warnings,
    })),
    left_out: [...left.values()].map(({ candidate, reason }) => ({ ...named(candidate), reason })),
  };
}

function named({ model, target, own }: Candidate): object {
  return {
    model: model.id,
    provider: target.provider,
    upstream_model: target.upstreamModel,
    own_credential: own !== null,
  };
}

/** Null if none has a price. */
function mostOf(bounded: readonly BoundedCandidate[]): Money | null {
  let most: Money | null = null;
  for (const each of bounded) if (each.most !== null && (most === null || each.most > most)) most = each.most;
  return most;
}
