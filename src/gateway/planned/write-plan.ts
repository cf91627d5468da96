/** The answer about how a request would be served. */
import { type Money, usdLiteral } from '../../core/money.ts';
import type { Candidate } from '../../routing/candidate.ts';
import type { HealthPort } from '../../routing/ports.ts';
import type { Reason } from '../../routing/reason.ts';
import { rests } from '../../routing/rest-last.ts';
import { ATTEMPTS_MAX } from '../admission/admit.ts';
import type { Routed } from '../phases.ts';
import type { BoundedCandidate } from './bound-candidates.ts';
import type { Noted } from './plan-notes.ts';

interface Named {
  readonly model: string;
  readonly provider: string;
  readonly upstream_model: string;
  readonly own_credential: boolean;
}

interface PlannedCandidate extends Named {
  readonly translated: boolean;
  /** It has failed lately: it is tried after those that have not. */
  readonly resting: boolean;
  readonly max_cost: unknown;
  readonly later_because: Reason[];
  readonly warnings: string[];
}

interface LeftOut extends Named {
  readonly reason: Reason;
}

export interface WrittenPlan {
  readonly model: string;
  /** At most this many of them are tried. */
  readonly max_attempts: number;
  /** USD; null if none has a price. */
  readonly max_cost: unknown;
  readonly candidates: PlannedCandidate[];
  readonly left_out: LeftOut[];
}

/** `bounded`: those that can serve, in order. `notes`: why these come later than they would, and why the others are left out. */
export function writePlan(
  { peek, providers }: Routed,
  bounded: readonly BoundedCandidate[],
  notes: readonly Noted[],
  health: Pick<HealthPort, 'readiness'>,
): WrittenPlan {
  return {
    model: peek.model,
    max_attempts: ATTEMPTS_MAX,
    max_cost: usdLiteral(mostOf(bounded.slice(0, ATTEMPTS_MAX))),
    candidates: bounded.map(({ candidate, isTranslated, most, warnings }) => ({
      ...named(candidate),
      translated: isTranslated,
      resting: rests(candidate, providers, health),
      max_cost: usdLiteral(most),
      later_because: notes.filter((noted) => noted.candidate === candidate).map(({ reason }) => reason),
      warnings: [...warnings],
    })),
    left_out: leftOut(new Set(bounded.map(({ candidate }) => candidate)), notes),
  };
}

/** Of a request that is refused: nobody serves it. */
export function writeRefusedPlan(model: string, notes: readonly Noted[]): WrittenPlan {
  return { model, max_attempts: ATTEMPTS_MAX, max_cost: null, candidates: [], left_out: leftOut(new Set(), notes) };
}

function leftOut(served: ReadonlySet<Candidate>, notes: readonly Noted[]): LeftOut[] {
  const left = new Map<Candidate, Noted>();
  for (const noted of notes) {
    if (served.has(noted.candidate)) continue;
    // The last reason is why it is left out, whatever moved it before.
    left.delete(noted.candidate);
    left.set(noted.candidate, noted);
  }
  return [...left.values()].map(({ candidate, reason }) => ({ ...named(candidate), reason }));
}

function named({ model, target, own }: Candidate): Named {
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
