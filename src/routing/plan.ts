/**
 * The order in which the candidates that can serve a call are tried: as the caller would rather have them, those that rest last, the one that
 * has the conversation first. Pure: the same facts give the same order.
 */

import type { Provider } from '../providers/provider.ts';
import type { Candidate } from './candidate.ts';
import { isOrdered, orderCandidates, type Wishes } from './order-candidates.ts';
import { ownFirst } from './own-first.ts';
import type { HealthPort, KeptAt, RatePort } from './ports.ts';
import { isNamed } from './provider-names.ts';
import { keepWithout, moveLater, type Note } from './reason.ts';
import { restLast, rests } from './rest-last.ts';
import { signerFirst } from './signer-first.ts';
import { stickFirst } from './stick-first.ts';

export interface PlanFacts {
  readonly providers: ReadonlyMap<string, Provider>;
  readonly health: HealthPort;
  readonly rates: RatePort;
  /** Whether the request would have to be translated for the candidate. */
  readonly isTranslated: (candidate: Candidate) => boolean;
  /** Where the conversation was served last; null if that is not known. */
  readonly kept: KeptAt | null;
  /** Whether a candidate reads the opaque thoughts of the conversation; null if it has none, or that makes no difference. */
  readonly takesThoughts: ((candidate: Candidate) => boolean) | null;
}

/** `wishes` is null if the caller states nothing, as most do not. */
export function planCandidates(
  candidates: readonly Candidate[],
  wishes: Wishes | null,
  facts: PlanFacts,
  note: Note | null,
): readonly Candidate[] {
  if (candidates.length < 2) return candidates;
  const { providers, health, kept, takesThoughts } = facts;
  const isStated = wishes !== null && isOrdered(wishes);
  const ordered = wishes === null ? candidates : orderCandidates(candidates, wishes, facts);
  const alike = isStated ? ordered : sameFormatFirst(ordered, facts, note);
  const isPlaced = takesThoughts === null || (wishes?.preferences?.order.length ?? 0) > 0;
  const signed = isPlaced ? alike : signerFirst(alike, takesThoughts, note);
  const rested = restLast(signed, providers, health, note);
  const keptFirst = isStated || kept === null ? rested : stickTo(rested, kept, facts, note);
  const planned = ownFirst(keptFirst);
  return wishes === null ? planned : withoutFallbacks(planned, wishes, providers, note);
}

/** Relaying is more faithful than translating, so within a model its own format comes first. */
function sameFormatFirst(candidates: readonly Candidate[], { isTranslated }: PlanFacts, note: Note | null) {
  const first = candidates[0] as Candidate;
  if (candidates.every(({ model }) => model === first.model))
    return moveLater(candidates, isTranslated, 'other_format', note);
  const models = [...new Set(candidates.map(({ model }) => model))];
  return models.flatMap((model) =>
    moveLater(
      candidates.filter((candidate) => candidate.model === model),
      isTranslated,
      'other_format',
      note,
    ),
  );
}

function stickTo(candidates: readonly Candidate[], kept: KeptAt, facts: PlanFacts, note: Note | null) {
  const { takesThoughts } = facts;
  const sticky = stickFirst(candidates, kept, null);
  const [first] = sticky;
  const isMoved = first !== candidates[0];
  if (!isMoved || first === undefined || restsItself(first, facts)) return candidates;
  // It may have gone on elsewhere while the vendor of its thoughts was down.
  if (takesThoughts?.(first) === false && candidates.some(takesThoughts)) return candidates;
  return note === null ? sticky : stickFirst(candidates, kept, note);
}

/** Also of an own credential, which is never moved behind others for it. */
function restsItself(candidate: Candidate, { providers, health }: PlanFacts): boolean {
  const { own, model } = candidate;
  return own === null
    ? rests(candidate, providers, health)
    : typeof health.readiness(own.service, model.id) === 'object';
}

function withoutFallbacks(
  candidates: readonly Candidate[],
  { preferences }: Wishes,
  providers: ReadonlyMap<string, Provider>,
  note: Note | null,
): readonly Candidate[] {
  if (preferences === null || preferences.allowFallbacks) return candidates;
  const { order } = preferences;
  if (order.length === 0) {
    const firsts = new Set<Candidate['model']>();
    return keepWithout(
      candidates,
      ({ model }) => {
        if (firsts.has(model)) return 'no_fallback';
        firsts.add(model);
        return null;
      },
      note,
    );
  }
  return keepWithout(
    candidates,
    ({ target }) => {
      const provider = providers.get(target.provider);
      return provider !== undefined && isNamed(provider, order) ? null : 'no_fallback';
    },
    note,
  );
}
