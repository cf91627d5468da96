/** Step: what has failed lately is tried last. It is never left out, because nothing else may be left. */
import type { Provider } from '../providers/provider.ts';
import type { Candidate } from './candidate.ts';
import type { HealthPort } from './ports.ts';
import { moveLater, type Note } from './reason.ts';

export function restLast(
  candidates: readonly Candidate[],
  providers: ReadonlyMap<string, Provider>,
  health: Pick<HealthPort, 'readiness' | 'isCredentialResting'>,
  note: Note | null,
): readonly Candidate[] {
  const noted =
    note === null
      ? null
      : (candidate: Candidate) => {
          const provider = providers.get(candidate.target.provider);
          const isOfCredential = provider !== undefined && health.isCredentialResting(provider, candidate.model.id);
          note(candidate, isOfCredential ? 'credential_resting' : 'resting');
        };
  return moveLater(candidates, (candidate) => rests(candidate, providers, health), 'resting', noted);
}

/** One that may be probed is tried in its place: a real call shows whether it is well again. */
export function rests(
  { model, target, own }: Candidate,
  providers: ReadonlyMap<string, Provider>,
  health: Pick<HealthPort, 'readiness'>,
): boolean {
  // The state of a provider says nothing about another credential's limits, and the caller asked for its own.
  const provider = own === null ? providers.get(target.provider) : undefined;
  return provider !== undefined && typeof health.readiness(provider, model.id) === 'object';
}
